// The three hooks of ntm-orchestrator, the numbers that a user meets, and the scenarios and promises it came with.
import { differs, shows } from "../test-names.mjs";

const policy = (name, ...names) => shows(`src/policies/ntm/${name}.test.ts`, ...names);
const script = (...names) => shows("test/origins/ntm.sh", ...names);
const e2e = (name) => `test/e2e/${name}.test.ts`;
const FILES = "src/state/exported-files.test.ts";

export const HOOKS = [
  {
    hook: "pre-tool-use",
    policies: [
      "ntm/robot-mode",
      "ntm/one-session",
      "ntm/message-length",
      "ntm/poll-limit",
      "ntm/save-before-kill",
      "ntm/private-runtime",
    ],
    tests: [e2e("ntm"), "test/origins/ntm.sh"],
    differs: [
      [
        "Commands are read as bash reads them; each call of ntm on a line counts",
        "The word was searched for: `ls ntm/` was blocked, and one robot call excused everything else on its line.",
      ],
      [
        "A save, a kill and a spawn count when they have succeeded",
        "They counted when they were asked for, so `ntm save x; ntm kill x` passed. `ntm: { markOn: pre }` brings that back.",
      ],
      ["Options may stand before the session", "`ntm kill --force x` took the option for the name."],
      [
        "A message in any quoting is measured, and without quotes as well",
        "What the terminal cuts does not depend on the quotes.",
      ],
    ],
  },
  {
    hook: "stop",
    policies: ["ntm/active-session"],
    tests: [e2e("ntm"), e2e("stop-holds"), "test/origins/ntm.sh"],
    differs: [
      [
        "After three continuations without a call the turn ends, and the model is reminded with the next prompt",
        "Each stop was blocked; the agent ends a turn after eight blocks in any case.",
      ],
      [
        "Where tmux cannot be asked, the stop is held once, and then the person is told",
        "Nothing could ever end such a hold.",
      ],
    ],
  },
  {
    hook: "subagent-stop",
    policies: ["ntm/subagent-evidence"],
    tests: [e2e("ntm"), "test/origins/ntm.sh"],
    differs: [
      ["At most once for a run of a subagent", "A subagent that had nothing to check could not end."],
      ["Words count as whole words, and not after a negation", "“abandoned” contains “done”, and so does “not done”."],
      ["The last message of the event is read", "The transcript was searched, which may not be written yet."],
    ],
  },
];

/** What it is, there and here, how it is changed, and the tests. */
export const CONSTANTS = [
  {
    what: "Time between two equal polls",
    there: "90 s",
    here: "90 s",
    change: "fixed",
    by: policy("poll-limit", "after 89 seconds", "after 90 seconds"),
  },
  {
    what: "The same for the health of a fleet that was started in the last 180 s",
    there: "10 s",
    here: "10 s",
    change: "fixed",
    by: policy("poll-limit", "health again within ten seconds of the grace", "health when the grace ends"),
  },
  {
    what: "Kinds of polls",
    there: "terse, status, tail, health, snapshot",
    here: "the same",
    change: "fixed",
    by: policy("poll-limit", "tail", "another kind"),
  },
  {
    what: "Longest inline message",
    there: "2000 characters",
    here: "2000 characters",
    change: "`policies: { ntm/message-length: { longest: 500 } }`",
    by: policy("message-length", "just short enough", "a lower limit"),
  },
  {
    what: "How long a save counts before a kill",
    there: "60 minutes",
    here: "60 minutes",
    change: "`policies: { ntm/save-before-kill: { minutes: 5 } }`",
    by: policy("save-before-kill", "saved an hour ago", "a shorter validity"),
  },
  {
    what: "When a save, a kill or a spawn is written down",
    there: "when it is allowed",
    here: "when it has succeeded",
    change: "`ntm: { markOn: pre }`",
    by: policy("save-before-kill", "allowed counts as saved when so configured", "the save was only asked for"),
  },
  {
    what: "Folder of the records",
    there: "`$NTM_ORCH_RUNTIME_DIR`, else `ntm-orch-<uid>` in `$XDG_RUNTIME_DIR` or the temporary folder",
    here: "the same",
    change: "`NTM_ORCH_RUNTIME_DIR`",
    by: policy(
      "active-session",
      "a runtime directory of one's own",
      "below the temporary directory when nothing is set",
    ),
  },
  {
    what: "Rights of that folder",
    there: "0700, owned, no link, else every ntm is blocked",
    here: "the same",
    change: "fixed",
    by: policy("private-runtime", "readable by others", "of another user", "a link"),
  },
  {
    what: "Files in it",
    there: "`active-session.json`, and by session `state.json`, `saved.json`, `hook-last-poll.json`",
    here: "the same, as exports of the database",
    change: "fixed",
    by: policy("save-before-kill", "writes the marker that other programs know"),
  },
  {
    what: "Workers of a fleet, to whom none of this applies",
    there: "a pane whose title ends in `__cc_1`, or `cod`, `gem`",
    here: "these, `gmi` and `oll`, or `HOOKWRIGHT_FLEET_WORKER=1`",
    change: "`HOOKWRIGHT_FLEET_WORKER=1`",
    by: script("a worker is left alone", "by its pane's title too"),
  },
];

export const CRITERIA = [
  {
    title: "Scenarios of pre-tool-use",
    hooks: ["pre-tool-use"],
    demands: [
      ["A subcommand is blocked", policy("robot-mode", "a subcommand"), script("a subcommand is blocked")],
      ["So is spawn for people", policy("robot-mode", "spawn for people"), script("spawn for people is blocked")],
      [
        "A flag before the robot flag is blocked",
        policy("robot-mode", "a flag before the robot flag"),
        script("a flag before the robot flag is blocked"),
      ],
      ["Robot status is allowed", policy("robot-mode", "robot status"), script("robot status is allowed")],
      ["Help is allowed", policy("robot-mode", "help"), script("help is allowed")],
      ["Bare bv is blocked", policy("robot-mode", "bv alone"), script("bare bv is blocked")],
      [
        "bv without a robot flag is blocked",
        policy("robot-mode", "bv without a robot flag"),
        script("bv without a robot flag is blocked"),
      ],
      ["bv in robot mode is allowed", policy("robot-mode", "bv robot plan"), script("bv in robot mode is allowed")],
      ["Send is allowed", policy("robot-mode", "send"), script("send is allowed")],
      ["Save is allowed", policy("robot-mode", "save"), script("a save is allowed")],
      ["Another tool is allowed", policy("robot-mode", "another tool"), script("another tool is allowed")],
      [
        "A kill after a save is allowed",
        policy("save-before-kill", "saved just now"),
        script("a kill after the save is allowed"),
      ],
      [
        "A kill without one is blocked",
        policy("save-before-kill", "never saved"),
        script("a kill without a save is blocked"),
      ],
      [
        "A spawn is allowed when the recorded session is gone",
        policy("one-session", "the other session has ended"),
        script("a new fleet may follow a dead one"),
      ],
      ["A spawn of the same name is allowed", policy("one-session", "the same name again")],
      [
        "Health may be asked again soon after the start",
        policy("poll-limit", "health within the grace"),
        script("health right after the spawn is allowed"),
      ],
      ["Status may not, even then", policy("poll-limit", "status also right after the spawn")],
      [
        "Nor the health of a session that is not the active one",
        policy("poll-limit", "health of a session that is not the active one"),
      ],
      [
        "A message over 2000 characters is blocked",
        policy("message-length", "double quotes"),
        script("a long inline message is blocked"),
      ],
      ["A shorter one is allowed", policy("message-length", "just short enough"), script("a shorter one is allowed")],
      ["A long one behind a blank is blocked", policy("message-length", "a separate word")],
      ["A shorter one behind a blank is allowed", policy("message-length", "short enough, as a separate word")],
    ],
  },
  {
    title: "Scenarios of stop",
    hooks: ["stop"],
    demands: [
      ["No marker passes", policy("active-session", "no marker"), script("a stop without a fleet passes")],
      ["A broken marker passes", policy("active-session", "a broken marker")],
      ["An empty session passes", policy("active-session", "a marker with an empty session")],
      [
        "A session that has ended passes",
        policy("active-session", "the session has ended"),
        script("a stop passes when the fleet died by itself"),
      ],
      [
        "A live one is held",
        policy("active-session", "the session is alive"),
        script("a stop is held while the fleet is alive"),
      ],
    ],
  },
  {
    title: "Scenarios of subagent-stop",
    hooks: ["subagent-stop"],
    demands: [
      ["No text passes", policy("subagent-evidence", "no message at all")],
      ["No claim passes", policy("subagent-evidence", "no claim"), script("no claim passes")],
      [
        "A claim without a check is blocked",
        policy("subagent-evidence", "a bare claim"),
        script("a bare claim is sent back"),
      ],
      [
        "A claim with a check passes",
        policy("subagent-evidence", "gate evidence", "verification"),
        script("a claim with a gate passes"),
      ],
    ],
  },
  {
    title: "Promises of its text",
    hooks: ["pre-tool-use"],
    demands: [
      ["The message of a kill shows the save to run", script("and the message shows the save to run")],
      [
        "A save writes the marker with its five fields",
        policy("save-before-kill", "writes the marker that other programs know"),
        script("and writes its marker"),
        differs("`save_succeeded` is known", "It was assumed, as the marker was written before the save ran."),
      ],
      ["A kill removes the marks", policy("save-before-kill", "cleans up after a kill that succeeded, and only then")],
      ["A marker counts for 60 minutes", policy("save-before-kill", "saved too long ago", "saved an hour ago")],
      [
        "A spawn writes state and index",
        policy("one-session", "remembers a spawn once it has succeeded, with time and process"),
        script("with its state"),
      ],
      ["Only a regular file is removed", shows(FILES, "never remove %s")],
      [
        "Removed by its exact path, inside the folder",
        shows("src/core/small-parts.test.ts", "never yields a path separator, a dot name or more than 128 characters"),
      ],
      ["Owned by the user", policy("private-runtime", "of another user")],
      ["Input that cannot be read passes", script("input that is no JSON is allowed")],
    ],
  },
];
