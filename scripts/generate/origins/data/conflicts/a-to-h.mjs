// Decisions A to H between the five systems: order, errors, stops, subagents, starts, full contexts, permission, files.
import { shows } from "../../test-names.mjs";
import { ENGINE, invariants, NTM, OMC, PLAN, policy, TEAMS } from "./names.mjs";

export const FIRST = [
  {
    id: "A",
    title: "Who answers, when several want to",
    wanted: [
      ["all five", "be registered with the agent by itself, and be asked first."],
      [ENGINE, "has its gate run before its other hooks; the agent runs all hooks of an event at the same time."],
    ],
    done: "One program is registered for each event. It asks every policy in the order of the stages, and answers once: a denial wins over a question, a question over silence. The earliest stage has the headline, later denials follow in one line each, and notes of later stages are dropped with a denial.",
    change:
      "The [order](../order.md) is fixed. Any policy can be `off`, or `observe`: then it is recorded and says nothing.",
    tests: [
      shows(
        "src/core/ruling.test.ts",
        "takes the headline from the earliest stage and mentions every other denial",
        "does not depend on the order in which policies are registered",
        "drops notes of later stages on a denial and keeps the earlier ones",
      ),
      shows("test/build/plugin.test.ts", "has one entry for each event that the plan's policies and the engine need"),
    ],
  },
  {
    id: "B",
    title: "What an error means",
    wanted: [
      [`${PLAN}, ${TEAMS}, ${OMC}`, "let everything pass when something goes wrong."],
      [ENGINE, "denies everything when its state cannot be read, and nothing when its rules cannot."],
      [NTM, "blocks every ntm when its folder is open to others, and lets the rest pass."],
    ],
    done: "It depends on the stage of the policy that failed. Security denies; the guards of destructive commands and of files ask a person; all others count as silent. The error is recorded with the name of the policy and never changes what another policy says.",
    change: "Fixed for each stage. `mode: observe` for a policy that you do not trust yet.",
    tests: [
      shows("src/core/stages.test.ts", "a policy of the stage %s that fails before a call: %s"),
      shows("src/core/pipeline.test.ts", "never lets a bad policy change what another one says"),
      policy("ntm/private-runtime", "readable by others"),
    ],
  },
  {
    id: "C",
    title: "When a turn may end",
    wanted: [
      [NTM, "blocks each stop while its tmux session is alive."],
      [PLAN, "blocks once while tasks are open, and lets the second stop pass."],
      [OMC, "goes on for 15 to 100 rounds while a mode is on."],
      [ENGINE, "shows the pane as done at each stop, held or not."],
    ],
    done: "One place decides. Nothing holds a stop when the person cancelled, a hand-over is under way, the last turn failed at the model's service, the context is at 95 %, the agent is in plan mode or is a worker of a fleet, or something pending will wake the session. Otherwise what holds is told in one text: the fleet, then the plan, then the modes, each with its way out. After three continuations without a call the turn ends in any case; a hold whose work does not move is dropped after two. When a stop passes with work left, the person reads what is left, and the model nothing.",
    change:
      "`/cancel` ends all holds of modes at once, `hookwright off` everything. `modes: { limits: { ralph: 20 } }` for rounds, `modes: { stop: hard }` for a block instead of context, `policies: { ntm/active-session: off }` for one holder.",
    tests: [
      shows(
        "src/core/arbiter.test.ts",
        "passes the fourth stop after three idle continuations and tells the person what is left",
        "drops a hold whose progress stood still for two continuations, and only that one",
        "never holds when a bypass applies, and keeps what it knew",
      ),
      shows("src/engine/tests/stop-holds.test.ts", "is never told the same twice"),
      invariants(
        "goes on without a call three times at most",
        "is told the fleet first, then the plan, then the mode, in one text",
        "of two modes that hold a stop, %s is told before %s",
      ),
    ],
  },
  {
    id: "D",
    title: "When a subagent is done",
    wanted: [
      [NTM, "sends a subagent back that claims success and names no check."],
      [OMC, "writes it down as completed at the same moment, with a text that makes it go on."],
      [PLAN, "decided against a check here, as it checks the task."],
    ],
    done: "The check comes first, and holds a subagent once. It is written down as completed only when its end was not held. Whoever only watches says nothing.",
    change: "`policies: { ntm/subagent-evidence: off }`.",
    tests: [
      policy("ntm/subagent-evidence", "a bare claim", "sent back once already"),
      policy(
        "coordination/subagent-tracker",
        "is not over while a policy holds it, and is when that lets it end",
        "says nothing, so that nobody goes on because of it",
      ),
    ],
  },
  {
    id: "E",
    title: "What a session is told when it starts",
    wanted: [
      [TEAMS, "names the session and the team at every start."],
      [PLAN, "sums up the plan after `/clear` and a resume only."],
      [ENGINE, "restores what was handed over at a fresh start, although its own restart arrives as `/clear`."],
      [OMC, "tells modes and notes, and deletes the modes at `/clear`."],
    ],
    done: "One text with a section for each, in the order of the stages: the hand-over, the modes, the notes, the plan, the session and its team. A section without content is left out. All of them share 6,000 characters. After `/clear` nothing is lost: a hand-over is restored, and modes wait until the person resumes them.",
    change: "`contextBudget: { start: 3000 }`, or single policies off.",
    tests: [
      policy("session/restore", "after /clear"),
      policy("modes/persistent-mode", "after /clear"),
      policy("plan/session-context", "after /clear", "a fresh session"),
      shows(
        "src/core/context-budget.test.ts",
        "keeps the order, omits what is empty, and loses nothing without saying so",
        "is larger where a session or a prompt starts",
      ),
    ],
  },
  {
    id: "F",
    title: "What happens when the context is full",
    wanted: [
      [ENGINE, "denies all calls at 76 % until the work is handed over, and ends the agent when it compacts."],
      [OMC, "warns at 85 % and 95 %, asks for a compaction, and keeps its facts over it."],
      [PLAN, "keeps its facts over it."],
    ],
    done: "The context is preserved: warnings at 85 % and 95 %, and plan, modes, tasks and notes go into the summary and are told again afterwards. A compaction is never blocked. The gate of 76 % and the restart exist only if you choose them, and then the warnings are silent. All go by one measure: what the status line says, else the transcript.",
    change: "`contextPolicy: restart`.",
    tests: [
      policy("session/overflow", "preserve, however full it is", "at 76 %"),
      policy("recovery/preemptive-compaction", "85 %", "a full context is handed over"),
      policy("recovery/pre-compact", "a compaction is never blocked"),
      policy("session/compaction", "is written but restarts nothing where contexts are preserved"),
      invariants("a compaction is not blocked, and plan, mode and notes are told after it"),
    ],
  },
  {
    id: "G",
    title: "Who may allow a call",
    wanted: [
      [ENGINE, "prints `allow` for everything that passes, which skips the person's own questions."],
      [OMC, "approves commands that begin like harmless ones."],
      [`${NTM}, ${PLAN}, ${TEAMS}`, "say nothing when they have nothing against it."],
    ],
    done: "Passing is silence; your agent's own permissions stay as they are. Approving happens only where the agent asks for a permission, only for what you listed yourself, and never for a call that any guard has something against or has stopped before. Control commands such as `engine log` and `ntm save` pass the session gate, the heartbeat and the directives, never a guard, and only when the whole line consists of them.",
    change: "`permissions: { approve: [git-read, tests] }` in your own configuration.",
    tests: [
      invariants("no call and no permission is approved by anything but the person's own list"),
      shows(
        "src/engine/decide/approvals.test.ts",
        "no approval lets `%s` through",
        "a call that was stopped in this session is not approved later, even when nobody would stop it again",
      ),
      shows("src/agents/claude-code/adapter.test.ts", "says nothing when everything passes, for every event"),
      policy("session/gate", "more behind an engine command", "saving a fleet"),
    ],
  },
  {
    id: "H",
    title: "Whose file it is",
    wanted: [
      [PLAN, "gives folders to each agent of a team, and lets the lead edit anything."],
      [OMC, "gives files to workers, and in its strict form forbids the main agent every edit."],
      [`${OMC} (ultrapilot)`, "needs the main agent to edit what is shared."],
    ],
    done: "All of them ask one list of claims: who owns a pattern, from where, until when. Another owner's file is denied to everybody, also through the shell. Strict delegation lets the main agent edit what it owns itself, and shared files when it coordinates the workers.",
    change:
      "The team's scope file, `hookwright mode split`, and `policies: { coordination/omc-orchestrator: { delegation: off } }`, `warn` or `strict`.",
    tests: [
      policy(
        "coordination/omc-orchestrator",
        "strict, a file of a worker of ultrapilot",
        "a shared file, by the coordinator of ultrapilot",
        "a file of the caller's own scope",
      ),
      policy("modes/ultrapilot", "a file of another worker", "a removal by the shell"),
      policy("plan/scope", "an edit outside", "the lead"),
    ],
  },
];
