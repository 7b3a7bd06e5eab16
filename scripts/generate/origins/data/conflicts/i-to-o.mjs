// Decisions I to O between the five systems: actors, state, switches, prompts, lists of work, ends, notifications.
import { shows } from "../../test-names.mjs";
import { ENGINE, invariants, NTM, OMC, PLAN, policy, TEAMS } from "./names.mjs";

export const SECOND = [
  {
    id: "I",
    title: "Who is acting",
    wanted: [
      [NTM, "goes by the title of the tmux pane."],
      [PLAN, "by a variable with the agent's name."],
      [ENGINE, "by the process number of a supervisor, or the pane."],
      [TEAMS, "by the folder, so that a lead and a teammate in one folder look alike."],
      [OMC, "by the session."],
    ],
    done: "Each event has one actor: the session, whether it is the main thread or a subagent, the project (also from a linked worktree), the pane and the process. Policies use what they need of it. A subagent or a teammate is never taken for the lead whose session it shares.",
    change:
      "`HOOKWRIGHT_FLEET_WORKER=1` marks a worker whatever its pane is called; `hookwright teams resume` names the lead.",
    tests: [
      policy("teams/spawn-gate", "a subagent of the lead", "a teammate in the lead's own process"),
      policy("session/heartbeat", "a subagent has a count of its own"),
      policy("ntm/robot-mode", "inside a worker of the fleet"),
      policy("plan/scope", "a teammate", "an agent that only the environment names"),
    ],
  },
  {
    id: "J",
    title: "Where state is kept",
    wanted: [
      [NTM, "in a private folder of the user."],
      [PLAN, "in `.claude` of the project."],
      [ENGINE, "in the work session's folder, with marks in `/tmp` that anybody can make."],
      [TEAMS, "below the home folder, with prompts in a file that everybody can read."],
      [OMC, "in `.omc` of the project, with copies in the home folder."],
    ],
    done: "In one private database. Files that other programs read are written from it where they always were, and a change that somebody makes in one is taken over. What people write themselves (plans, notes, settings) is read, and edited in single places. A damaged file of ours is moved aside and named; another program's is left alone and counts as absent.",
    change:
      "`HOOKWRIGHT_HOME` moves everything private, `NTM_ORCH_RUNTIME_DIR` and `ATM_HOME` the files of those systems.",
    tests: [
      shows(
        "src/state/exported-files.test.ts",
        "are written whole, private, without leftovers, and removed again",
        "give way to a change from outside, and to a deletion",
      ),
      shows("src/state/state.test.ts", "moves a damaged file aside, says so, and starts afresh"),
      invariants("a spoilt file changes no decision of another system"),
    ],
  },
  {
    id: "K",
    title: "What switches it on",
    wanted: [
      [PLAN, "is off until `.claude/project.yml` names a hook."],
      [TEAMS, "is on where there is an `.atm.toml`."],
      [ENGINE, "is on with `SESSION_REQUIRED=1`."],
      [NTM, "is always on."],
      [OMC, "is always on, until `DISABLE_OMC` or `OMC_SKIP_HOOKS`."],
    ],
    done: "Profiles in one configuration: the person's, the project's, the environment. All of these switches work as before inside their profile. A project may only make things stricter, and a profile that is turned on never makes another one weaker. `HOOKWRIGHT_DISABLE=1` and `hookwright off` end everything.",
    change: "`profiles: [safety, omc]`, and each policy by its name; [configuration](../config.md).",
    tests: [
      shows("src/engine/tests/profiles-only-add.test.ts", "the answer with more profiles is never weaker"),
      shows("src/engine/tests/modes-switches.test.ts", "with %j: held %s, a start by the model passes %s"),
      policy("plan/stop-guard", "the key is missing"),
      policy("session/gate", "without SESSION_REQUIRED"),
      policy("teams/session-end", "no file"),
      shows("src/config/compile.test.ts", "adds profiles, never takes one away"),
      shows("test/bad-input/usage.test.ts", "HOOKWRIGHT_DISABLE=1 passes everything and records nothing"),
    ],
  },
  {
    id: "L",
    title: "A prompt that starts a mode while no work session is open",
    wanted: [
      [ENGINE, "asks the person for a skill first, and denies all other calls."],
      [OMC, "tells the model to begin with the mode at once."],
    ],
    done: "The gate goes first. The start is remembered, the person is told that it waits, and no mode is on until a session is open. A cancellation never waits.",
    change:
      "Start the agent without `SESSION_REQUIRED`, or `policies: { session/gate: off }`. `keywords: { phrases: off }` leaves only the names of modes.",
    tests: [
      policy(
        "detection/keyword-detector",
        "while the session gate is closed",
        "counts while the session gate is closed, and takes back the start that waits",
      ),
    ],
  },
  {
    id: "M",
    title: "Which list of work counts",
    wanted: [
      [PLAN, "the table of its plan."],
      [OMC, "the agent's tasks, the stories of a PRD, the board of a swarm."],
      [ENGINE, "the phases of the work session."],
    ],
    done: "Each list is read where it is, and nobody writes another's. A text that holds a stop names its list by file, and while a plan holds, the agent's own tasks are not told beside it.",
    change: "`policies: { coordination/todo-continuation: { todos: off } }`, `modes` or `always`.",
    tests: [
      policy("plan/stop-guard", "the plan file and the open tasks are named"),
      policy("coordination/todo-continuation", "a plan holds the stop", "an open plan for which no stop is held"),
      policy("recovery/pre-compact", "a plan of which the pack of the plan tells"),
    ],
  },
  {
    id: "N",
    title: "What goes when a session ends",
    wanted: [
      [OMC, "deletes the state of its modes and the board's mark of everybody, also at `/clear`."],
      [ENGINE, "needs its state for the run that follows."],
      [TEAMS, "marks the session as dead."],
    ],
    done: "Nothing is deleted: modes are detached, and can be resumed. What belongs to another session is not touched. The team's registry is told at once. Old state is removed by maintenance.",
    change: "`hookwright mode cancel --all` and `hookwright maintain --project` remove it when you want that.",
    tests: [
      policy("coordination/session-end", "are detached, and those of another session go on"),
      policy("modes/persistent-mode", "are detached by its end (%s)", "go on where the session is resumed"),
      policy(
        "teams/session-end",
        "marks the session dead, closes the agent, and prints nothing",
        "leaves another session of the same agent alone",
      ),
    ],
  },
  {
    id: "O",
    title: "Who is told that an agent works, waits or is done",
    wanted: [
      [ENGINE, "colours panes of tmux."],
      [TEAMS, "sends the states of agents to a socket and a file."],
      [OMC, "tells of background tasks."],
      [PLAN, "recommends a script for the desktop."],
    ],
    done: "One state for each session, from the same events; panes, terminal, desktop, webhook and the team's registry follow it. A stop that is held is no end for any of them.",
    change: "`notifications:` in your own configuration, see [notifications](notifications.md).",
    tests: [
      shows("src/domain/lifecycle/session-states.test.ts", "a held end", "its end"),
      policy("session/fleet", "is still working when the stop is held"),
      policy("teams/activity", "a stop that is held is no end"),
      policy(
        "notifications/send",
        "hear of a denied call once, of a subagent's only if that is wanted, and of no stop that is held",
      ),
    ],
  },
];
