// What was wrong in project-orchestrator's own scripts, and what shows that it is right here.
import { shows } from "../test-names.mjs";

const POLICY = (name) => `src/policies/plan/${name}.test.ts`;
const FILES = POLICY("project-files");
const STOPS = POLICY("stop-guard");
const STARTS = POLICY("session-context");
const COMPACTS = POLICY("compaction-snapshot");

export const MISTAKES = {
  title: "Mistakes of the original scripts",
  hooks: ["task-completed", "stop-guard", "session-context", "precompact-state"],
  demands: [
    [
      "A status that no row has broke the sum: a stop was held only if both kinds were open",
      shows(STOPS, "one is pending, none in progress", "one is in progress, none pending"),
      shows(STARTS, "statuses that nobody has count as none"),
    ],
    [
      "A comment behind a value switched the hook off",
      shows(STOPS, "a comment stands behind the value"),
      shows(FILES, "the sample as it is written"),
    ],
    ["A key was found in any section", shows(STOPS, "the key in another section")],
    [
      "A relative plan was looked for in the current folder",
      shows(STOPS, "the session works in a folder of the project"),
    ],
    ["A status in a code sample was counted", shows(STOPS, "a status in a code sample")],
    ["Wrong settings were not reported", shows(FILES, "a verification that does not exist", "a boolean in quotes")],
    ["A prefix matched the beginning of another name", shows(POLICY("scope"), "a name that only begins alike")],
    [
      "Blocked and escalated tasks were missing from the total before a compaction",
      shows(COMPACTS, "before one that was asked for"),
    ],
  ],
};
