import type { SessionRule } from "./rule.ts";

export interface ShippedRule extends SessionRule {
  /** The policy that implements this rule with its own messages and counters; the rule itself is then not evaluated. */
  readonly by?: string;
  /** Applies only where directives are put into the context (`inject`) instead of gated. */
  readonly onlyWhen?: "inject";
}

const COMMANDS = ["Bash(engine session *)", "Bash(engine log *)", "Bash(hookwright session *)"];
const base = { description: "", mode: "inline", urgency: "allow", inject: "always", whitelist: [] } as const;

/** The built-in rules. A rule in a file with the same id replaces one. */
export const SHIPPED_RULES: readonly ShippedRule[] = [
  {
    ...base,
    id: "session-gate",
    description: "Allows only the calls that start a session while none is active.",
    trigger: { type: "lifecycle", condition: { noActiveSession: true } },
    payload: { text: "No session is active." },
    urgency: "block",
    priority: 2,
    whitelist: ["AskUserQuestion", "Skill", "ToolSearch", ...COMMANDS],
    by: "session/gate",
  },
  {
    ...base,
    id: "idle-gate",
    description: "Blocks calls in an idle session until it is continued or another one is started.",
    trigger: { type: "lifecycle", condition: { eq: "idle" } },
    payload: { text: "The session is idle." },
    urgency: "block",
    priority: 3,
    whitelist: ["AskUserQuestion", "Skill", "ToolSearch", ...COMMANDS],
    by: "session/gate",
  },
  {
    ...base,
    id: "heartbeat-block",
    description: "Blocks calls until a log entry is written.",
    trigger: { type: "perTranscriptToolCount", condition: { gte: "toolUseWithoutLogsBlockAfter" } },
    payload: { text: "Log what was done before you continue." },
    urgency: "block",
    priority: 5,
    whitelist: [...COMMANDS, "Read(*/.claude/*)", "Read(*TEMPLATE_*)", "Task", "Write"],
    by: "session/heartbeat",
  },
  {
    ...base,
    id: "directive-autoload",
    description: "Puts directive files that were found into the context.",
    trigger: { type: "discovery", condition: { field: "pendingDirectives", nonEmpty: true } },
    payload: { files: "$pendingDirectives" },
    mode: "preload",
    priority: 20,
    onlyWhen: "inject",
  },
  {
    ...base,
    id: "template-preload",
    description: "Puts the templates that a skill declares into the context.",
    trigger: { type: "discovery", condition: { field: "pendingTemplates", nonEmpty: true } },
    payload: { files: "$pendingTemplates" },
    mode: "preload",
    priority: 21,
  },
  {
    ...base,
    id: "command-preload",
    description: "Puts the documents of the commands that a phase names into the context.",
    trigger: { type: "discovery", condition: { field: "pendingCommands", nonEmpty: true } },
    payload: { files: "$pendingCommands" },
    mode: "preload",
    priority: 22,
  },
  {
    ...base,
    id: "synthesis-commands",
    description: "Explains once, when the synthesis begins, how a session is closed.",
    trigger: { type: "phase", condition: { matches: "Synthesis" } },
    payload: {
      text: "The session is in $currentPhase. To close it: `engine session debrief`, `engine session check`, then `engine session deactivate` with a description on standard input.",
    },
    inject: "once",
    priority: 30,
  },
  {
    ...base,
    id: "heartbeat-warn",
    description: "Reminds the agent to write a log entry.",
    trigger: { type: "perTranscriptToolCount", condition: { eq: "toolUseWithoutLogsWarnAfter" } },
    payload: { text: "A log entry is due." },
    priority: 50,
    by: "session/heartbeat",
  },
];
