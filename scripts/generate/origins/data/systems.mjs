// The five systems, and what each of them has: hooks by name, promises and suites by number. A row that is missing stops the
// build, so this list is written without the rows.
import * as teams from "./agent-team-mail.mjs";
import * as ntm from "./ntm-orchestrator.mjs";
import { PROMISES } from "./oh-my-claudecode/promises.mjs";
import { SUITES as OMC_SUITES } from "./oh-my-claudecode/suites.mjs";
import { GROUPS } from "./oh-my-claudecode.mjs";
import { TASKS } from "./project-orchestrator.mjs";
import { HOOKS as PLAN_HOOKS } from "./project-orchestrator-hooks.mjs";
import * as engine from "./workflow-engine.mjs";

/** The hooks of oh-my-claudecode by the groups of its own documentation. */
export const THEIRS = {
  "Execution modes": "autopilot ultrawork ralph ultrapilot swarm ultraqa mode-registry persistent-mode",
  Validation: "thinking-block-validator empty-message-sanitizer comment-checker permission-handler",
  Recovery: "recovery preemptive-compaction pre-compact",
  Enhancement: "rules-injector directory-readme-injector notepad learner agent-usage-reminder",
  Detection: "keyword-detector think-mode auto-slash-command non-interactive-env plugin-patterns",
  Coordination: "todo-continuation omc-orchestrator subagent-tracker session-end background-notification",
  Setup: "setup",
};

/** `promises`: how many there are, by the title of their group. `suites`: of which hooks. */
export const SYSTEMS = [
  {
    name: "ntm-orchestrator",
    guide: "ntm-fleets.md",
    theirs: "pre-tool-use stop subagent-stop",
    promises: {
      "Scenarios of pre-tool-use": 22,
      "Scenarios of stop": 4,
      "Scenarios of subagent-stop": 4,
      "Promises of its text": 9,
    },
    suites: "",
    rows: { hooks: ntm.HOOKS, groups: ntm.CRITERIA, suites: [] },
  },
  {
    name: "project-orchestrator",
    guide: "plan-teams.md",
    theirs:
      "task-completed stop-guard scope-protection session-context precompact-state subagent-stop notification teammate-idle",
    promises: {
      "Task 1: register the hooks": 5,
      "Task 2: shared helpers": 9,
      "Task 3: task verification": 6,
      "Task 4: stop guard": 6,
      "Task 5: session context": 7,
      "Task 6: compaction": 4,
      "Task 7: the state file": 6,
      "Task 8: the implementer's report": 6,
      "Task 9: the README": 5,
      "Task 10: the scope example": 4,
      "Mistakes of the original scripts": 8,
    },
    suites: "",
    rows: { hooks: PLAN_HOOKS, groups: TASKS, suites: [] },
  },
  {
    name: "workflow-engine",
    guide: "sessions.md",
    theirs: [
      "pre-tool-use-session-gate pre-tool-use-overflow pre-tool-use-heartbeat pre-tool-use-one-strike",
      "pre-tool-use-directive-gate pre-tool-use-overflow-v2 post-tool-use-discovery post-tool-use-details-log",
      "post-tool-complete-notify post-tool-failure-notify user-prompt-state-injector user-prompt-submit-session-gate",
      "user-prompt-working pre-compact-kill notification-attention notification-idle pane-focus-style stop-notify",
      "session-end-notify",
    ].join(" "),
    promises: {},
    suites:
      "pre-tool-use-one-strike user-prompt-state-injector pre-tool-use-session-gate post-tool-use-discovery pre-tool-use-directive-gate post-tool-use-details-log pre-compact-kill pre-tool-use-overflow-v2 pre-tool-use-heartbeat",
    rows: { hooks: engine.HOOKS, groups: [], suites: engine.SUITES },
  },
  {
    name: "agent-team-mail",
    guide: "teams.md",
    theirs: "session-start session-end gate-agent-spawns teammate-idle-relay",
    promises: { "Session start": 12, "Session end": 11, "Spawn gate": 21, "Idle relay": 11, "Sources of reports": 4 },
    suites: "",
    rows: { hooks: teams.HOOKS, groups: teams.SUITES, suites: [] },
  },
  {
    name: "oh-my-claudecode",
    guide: "omc.md",
    theirs: Object.values(THEIRS).join(" "),
    promises: {
      "How a stop is kept from ending the turn": 9,
      autopilot: 4,
      ralph: 4,
      ultrapilot: 4,
      swarm: 4,
      learner: 4,
    },
    suites:
      "keyword-detector autopilot swarm empty-message-sanitizer permission-handler notepad think-mode subagent-tracker",
    rows: { hooks: GROUPS.flatMap(({ hooks }) => hooks), groups: PROMISES, suites: OMC_SUITES },
  },
];
