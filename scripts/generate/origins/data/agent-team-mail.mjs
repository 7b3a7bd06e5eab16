// The four hooks of agent-team-mail and what does the same here; the tests that they came with, in our words, and where
// their counterparts are.
import { differs, shows } from "../test-names.mjs";

const script = (...names) => shows("test/origins/teams.sh", ...names);
const policy = (name, ...names) => shows(`src/policies/teams/${name}.test.ts`, ...names);
const socket = (...names) => shows("src/daemon/team-socket.test.ts", ...names);
const requests = (...names) => shows("src/domain/team/handle-request.test.ts", ...names);
const TESTS = ["test/e2e/teams.test.ts", "test/origins/teams.sh"];
const NEEDS_FILE = "only names the session until the project has an `.atm.toml`";

export const HOOKS = [
  {
    hook: "session-start",
    policies: ["teams/session-start"],
    tests: [...TESTS, "src/daemon/team-socket.test.ts"],
    standard: NEEDS_FILE,
    differs: [
      ["The session's real source is named", "Everything but a compaction was called a fresh start, also a resume."],
      [
        "`.atm.toml` is looked for up to the root of the repository",
        "Only the working directory was looked at, so a session below it had no team.",
      ],
      [
        "The agent's own process is registered",
        "The process of the hook was, which is over before anybody asks whether it lives.",
      ],
    ],
  },
  {
    hook: "session-end",
    policies: ["teams/session-end"],
    tests: [...TESTS, "src/daemon/team-socket.test.ts"],
    standard: NEEDS_FILE,
    differs: [
      ["Only the session that is recorded is ended", "The end of another session of the same agent ended it too."],
    ],
  },
  {
    hook: "gate-agent-spawns",
    policies: ["teams/spawn-gate"],
    tests: TESTS,
    differs: [
      ["`Agent` is the same tool as `Task`", "The client has renamed it."],
      ["A subagent or a teammate is never the lead", "It shares the lead's session id, which alone was compared."],
      ["A team's name is checked before a file is read", "It was used as a part of a path as it came."],
    ],
  },
  {
    hook: "teammate-idle-relay",
    policies: ["teams/idle-relay"],
    tests: [...TESTS, "src/daemon/team-socket.test.ts"],
    standard: "does nothing until the project has an `.atm.toml`",
    differs: [
      [
        "The trail is rotated at 5 MB, and secrets in it are masked",
        "It grew without end, with all that a payload says.",
      ],
    ],
  },
];

const UNANSWERED = "may be one that %s: hooks answer all the same, and the line is written";

export const SUITES = [
  {
    title: "Session start",
    hooks: ["session-start"],
    demands: [
      ["A fresh start prints the id", script("1 a fresh start"), policy("session-start", "a fresh start")],
      ["After a compaction it says so", script("2 after a compaction"), policy("session-start", "after a compaction")],
      ["No team without `.atm.toml`", script("3 without .atm.toml")],
      ["The team with it", script("4 with .atm.toml"), policy("session-start", "with a team")],
      ["The welcome", script("5 with a welcome"), policy("session-start", "with a welcome")],
      [
        "No socket without `.atm.toml`",
        script("6 without .atm.toml, and somebody listens"),
        socket("keeps away from the socket of a project that is none of these"),
      ],
      [
        "The socket with it",
        script("7 with it"),
        policy("session-start", "registers the lead, writes the line and tells the socket"),
      ],
      ["The message has the session id", script("8 and told the session")],
      ["An error of the socket changes nothing", script("9 a listener that hangs up"), socket(UNANSWERED)],
      ["Nor does a missing one", script("10 nobody listens")],
      ["No file is touched without `.atm.toml`", script("11 without .atm.toml no file is touched")],
      [
        "TOML that cannot be read is absent",
        script("12 what cannot be read as TOML counts as absent"),
        differs("It is the file that fails", "There the parser could be missing; here it cannot."),
      ],
    ],
  },
  {
    title: "Session end",
    hooks: ["session-end"],
    demands: [
      ["No socket without `.atm.toml`", script("1 without .atm.toml"), policy("session-end", "no file")],
      [
        "The form of the message",
        script("2 with it"),
        policy("session-end", "marks the session dead, closes the agent, and prints nothing"),
      ],
      ["An error of the socket changes nothing", script("6 a listener that hangs up"), socket(UNANSWERED)],
      ["Broken input passes", script("7 input that is no JSON")],
      ["Nothing is printed", script("3 and nothing is printed")],
      ["A missing socket is no mistake", script("8 no socket")],
      ["Nor is a missing folder", script("9 no folder for one either")],
      [
        "An empty session id sends nothing",
        script("4 an empty session id"),
        policy("session-end", "an empty session id"),
      ],
      ["Nor does a missing one", script("5 no session id"), policy("session-end", "no session id")],
      ["No file is touched without `.atm.toml`", script("10 without .atm.toml no file is touched")],
      ["TOML that cannot be read is absent", script("11 what cannot be read as TOML counts as absent")],
    ],
  },
  {
    title: "Spawn gate",
    hooks: ["gate-agent-spawns"],
    demands: [
      [
        "An orchestrator without a name is blocked",
        script("1 an orchestrator without a name"),
        policy("spawn-gate", "an orchestrator without a name"),
      ],
      ["With one it passes", script("2 with a name"), policy("spawn-gate", "an orchestrator with a name")],
      [
        "So is another one",
        script("3 another orchestrator without one"),
        policy("spawn-gate", "an orchestrator that the configuration names"),
      ],
      ["With a name it passes", script("4 with one")],
      [
        "An agent's own file may demand a name",
        script("5 an agent whose file demands it, without"),
        policy("spawn-gate", "its own file demands a name"),
      ],
      ["With one it passes", script("6 with"), policy("spawn-gate", "a demanded name is there")],
      [
        "A file that demands nothing blocks nothing",
        script("7 an agent whose file demands nothing"),
        policy("spawn-gate", "an agent whose file demands nothing"),
      ],
      [
        "Other agents need no name",
        script("8 any other agent without a name"),
        policy("spawn-gate", "another agent without a name"),
      ],
      ["And may have one", script("9 with a name"), policy("spawn-gate", "another agent with a name")],
      [
        "The lead may name the team",
        script("10 the lead names the team"),
        policy("spawn-gate", "the lead names the team"),
      ],
      ["A teammate may not", script("11 a teammate does"), policy("spawn-gate", "a teammate names the team")],
      ["A team without a file is being set up", script("12 a team without a file"), policy("spawn-gate", "a new team")],
      [
        "So is one without a lead",
        script("13 a file without a lead"),
        policy("spawn-gate", "nobody recorded the lead"),
      ],
      [
        "Another team than the project's is blocked",
        script("14 another team than the project's"),
        policy("spawn-gate", "another team than the project's"),
      ],
      ["The project's own passes", script("15 the project's own")],
      [
        "Without `.atm.toml` any team passes",
        script("16 any team without .atm.toml"),
        policy("spawn-gate", "any team without the project's file"),
      ],
      ["Broken input passes", script("17 input that is no JSON")],
      ["An empty payload passes", script("18 an empty payload"), policy("spawn-gate", "an empty call")],
      [
        "The debug log gets a line",
        script("19 the log of older hooks, where it is wanted"),
        policy("spawn-gate", "writes the breadcrumbs of older hooks when told to, without the prompt"),
        differs(
          "Only with `compatBreadcrumbs`, private, without the prompt",
          "Everybody on the machine could read the prompts; the journal has every call.",
        ),
      ],
      ["With the process", script("20 and the process")],
      ["The session id is written beside it", script("21 the session id beside it")],
    ],
  },
  {
    title: "Idle relay",
    hooks: ["teammate-idle-relay"],
    demands: [
      [
        "One line is appended",
        script("1 a teammate waits"),
        policy("idle-relay", "appends one line with the original payload, registers the teammate and tells the socket"),
      ],
      ["Several are appended", script("2 again and again"), policy("idle-relay", "appends a line for each of several")],
      ["The team from the file", script("3 the team from .atm.toml")],
      ["Broken input passes", script("4 input that is no JSON")],
      ["No socket without `.atm.toml`", script("5 without .atm.toml"), policy("idle-relay", "no file")],
      ["And no line", script("6 and no line is written")],
      ["The socket with it", script("7 with it")],
      ["An error of the socket changes nothing", script("8 a listener that hangs up"), socket(UNANSWERED)],
      ["And leaves the line", script("9 leaves the line where it is")],
      ["A missing socket is no mistake", script("10 nobody listens")],
      [
        "TOML that cannot be read is absent",
        script("11 what cannot be read as TOML counts as absent"),
        policy("idle-relay", "a broken file"),
      ],
    ],
  },
  {
    title: "Sources of reports",
    hooks: ["session-start", "session-end"],
    demands: [
      ["`claude_hook` counts for the lead alone", requests("a member starts", "the lead starts")],
      ["So does a source that nobody knows", requests("a source nobody knows")],
      ["`atm_mcp` may report any member", requests("a member starts, by its MCP server")],
      ["So may `agent_hook`", requests("a member starts, by its adapter")],
    ],
  },
];
