// Smaller contradictions between the five systems, and what holds whatever is on.
import { shows } from "../../test-names.mjs";
import { ENGINE, invariants, NTM, OMC, PLAN, policy, TEAMS } from "./names.mjs";

/** Smaller ones: about what, who does it how, what is done here, the tests. */
export const SMALLER = [
  [
    "Form of the answer",
    `${NTM} and ${TEAMS} exit with 2, ${PLAN} and ${ENGINE} print JSON, ${OMC} a field that the agent ignores`,
    "JSON and exit 0; exit 2 only where the agent knows no other way",
    [
      shows(
        "src/agents/claude-code/adapter.test.ts",
        "denies a call by JSON, with exit code 2 and the reason on stderr in the exit form only",
        "blocks %s by exit code even in the JSON form",
      ),
    ],
  ],
  [
    "Name of the tool that starts agents",
    "`Task` in all of them, `Agent` today",
    "both",
    [
      policy("teams/spawn-gate", "by the tool's older name"),
      policy("session/heartbeat", "the same under its new name"),
    ],
  ],
  [
    "Reminders",
    `${ENGINE} wants a log entry every 10 calls, ${OMC} adds a text to each call`,
    "each thing is said once, or with a pause; a log is asked for only with the profile `session`",
    [
      shows(
        "src/engine/tests/omc-silence.test.ts",
        "of every kind get none any more, 100 in a row, once each thing was said",
      ),
    ],
  ],
  [
    "README files",
    `${ENGINE} wants them read, ${OMC} puts them into the context, and the agent loads some itself`,
    "each is told once, by one of them",
    [
      policy(
        "enhancement/directory-readme-injector",
        "while `session/discovery` is on and no session is",
        "what the agent loaded itself",
      ),
    ],
  ],
  [
    "Directives: to be read, or put in",
    `${ENGINE} asks for a call of Read, its later form puts the content in`,
    "asked for by the gate; where the gate is off, put in",
    [policy("session/rules", "directives, where they are not asked for", "directives, where they are asked for")],
  ],
  [
    "Words for a check",
    `${NTM} looks for words, ${OMC} for a tag, ${PLAN} for fields`,
    "the words are one list; tags and fields count where their mode or plan asks for them",
    [shows("src/domain/evidence.test.ts", "is %j", "is not %j")],
  ],
  [
    "Words that start or end something",
    `“until it is done” starts a mode of ${OMC}, and “done” is a claim for ${NTM}`,
    "only a person's own words start a mode",
    [policy("detection/keyword-detector", "a prompt that a machine wrote", "pasted text")],
  ],
  [
    "Commands in messages",
    `${NTM} never shows a destructive one, ${OMC} and ${ENGINE} do`,
    "no message shows one, and what a message advises passes every guard",
    [
      shows(
        "src/engine/tests/advice.test.ts",
        "every advice is classified, and none is that nobody gives",
        "passes: %s",
      ),
    ],
  ],
  [
    "Ending what runs",
    `${NTM} saves first, ${ENGINE}, ${TEAMS} and ${OMC} just end it`,
    "a fleet has to be saved first, and `hookwright teams resume --kill` keeps the pane first",
    [
      policy("ntm/save-before-kill", "never saved"),
      shows("src/cli/commands/teams/command.test.ts", "ends nothing when the pane cannot be read first"),
    ],
  ],
  [
    "Here-documents",
    `${ENGINE} ignores everything behind \`<<\`, ${NTM} and ${OMC} read it as commands`,
    "the body is data, and what stands behind it is read",
    [
      policy("session/one-strike", "behind a here-document", "a word in a here-document"),
      policy("ntm/robot-mode", "a here-document"),
    ],
  ],
];

/** What holds whatever is on. */
export const INVARIANTS = [
  [
    "No hook allows a call; it can only be silent, ask, deny or add something.",
    [invariants("no call and no permission is approved by anything but the person's own list")],
  ],
  [
    "A denial names the policy, the reason, whether a retry helps and what to do instead, and shows no destructive command.",
    [
      invariants("every denial names its policy and says whether a retry helps"),
      shows("src/engine/tests/stubborn-model.test.ts", "which %s"),
      shows(
        "src/engine/tests/advice.test.ts",
        "every advice is classified, and none is that nobody gives",
        "passes: %s",
      ),
    ],
  ],
  [
    "Whatever holds a stop, a turn goes on at most three times in a row without a call; a cancellation and the kill switch end all of it at once.",
    [
      invariants(
        "goes on without a call three times at most",
        "ends at once when the person cancels, and says what is left to the person alone",
      ),
      shows("src/core/arbiter.test.ts", "allows at most three idle continuations in a row, whatever the mix of holds"),
      shows("test/bad-input/usage.test.ts", "HOOKWRIGHT_DISABLE=1 passes everything and records nothing"),
    ],
  ],
  [
    "What one session does changes nothing for another one, except what belongs to the project: its plan, its work session, its notes, its board.",
    [invariants("what one session did changes nothing for another one")],
  ],
  [
    "A compaction is never blocked unless you choose that, and what was open is told after it.",
    [invariants("a compaction is not blocked, and plan, mode and notes are told after it")],
  ],
  [
    "A damaged or missing file of one system changes no decision of another.",
    [invariants("a spoilt file changes no decision of another system")],
  ],
  [
    "Whoever only watches the end of a subagent or a teammate that waits says nothing.",
    [invariants("whoever only watches subagents and teammates says nothing")],
  ],
];
