// What oh-my-claudecode's own text about its hooks promises beyond their names.
import { differs, shows } from "../../test-names.mjs";

const mode = (name, ...names) => shows(`src/policies/modes/${name}.test.ts`, ...names);
const invariants = (...names) => shows("src/engine/tests/invariants.test.ts", ...names);
const boards = (...names) => shows("src/cli/commands/swarm/command.test.ts", ...names);
const learner = (...names) => shows("src/policies/enhancement/learner.test.ts", ...names);
const AFTER_EFFECTS = "src/engine/tests/after-effects.test.ts";
const HOLDERS = ["persistent-mode"];

export const PROMISES = [
  {
    title: "How a stop is kept from ending the turn",
    hooks: HOLDERS,
    demands: [
      [
        "Softly: by context, and not by a block",
        invariants("is continued by context, and not by a block, where nothing but the mode holds it"),
        differs("`modes: { stop: hard }` makes it a block", "Some models do not go on for context alone."),
      ],
      ["A context that is nearly full may end", shows(AFTER_EFFECTS, "with a context of %s: %s", "0.95 of the window")],
      [
        "So may a person who wants to",
        shows(AFTER_EFFECTS, "the work was cancelled"),
        invariants("ends at once when the person cancels, and says what is left to the person alone"),
      ],
      [
        "The modes have an order",
        invariants("of two modes that hold a stop, %s is told before %s"),
        differs("All are told in one text", "Only the first was told, and the others held the next stop."),
      ],
      [
        "Only the session of the mode is held",
        mode("ultrawork", "another session"),
        mode("ralph", "another session in the same project"),
      ],
      ["A state older than two hours holds nobody", mode("ultrawork", "stale"), mode("autopilot", "stale")],
      [
        "It holds while the mode is active",
        mode("ultrawork", "work is left", "paused"),
        shows("test/e2e/modes.test.ts", "begins once with `$prompt`, holds each stop, and ends"),
      ],
      [
        "A cancellation ends the mode and removes its files",
        shows(
          "test/e2e/modes-end.test.ts",
          "that is typed ends all modes before the model is asked, and a resumed session goes on until then",
        ),
        shows("src/policies/detection/keyword-detector.test.ts", "ends the holds of all modes at once"),
      ],
      [
        "State lies in `.omc/state`",
        mode("mode-registry", "has the fields that other programs read"),
        differs("In a folder for each session", "One file for all sessions let them overwrite each other."),
      ],
    ],
  },
  {
    title: "autopilot",
    hooks: ["autopilot"],
    demands: [
      [
        "Makes a plan from the goal",
        mode("autopilot", "planning without a plan", "planning with a plan"),
        shows("src/domain/mode/autopilot/phases.test.ts", "the plan alone does not end it"),
      ],
      [
        "Manages the execution",
        shows(
          "src/engine/tests/autopilot-session.test.ts",
          "goes through all phases to its summary, and says each of them once",
        ),
      ],
      [
        "Handles cancellation",
        shows("src/domain/mode/autopilot/cancel-resume.test.ts", "in %s ends what was started, and keeps the state"),
      ],
      ["Ends only when it is complete", mode("autopilot", "all three approve", "two of three approvals")],
    ],
  },
  {
    title: "ralph",
    hooks: ["ralph"],
    demands: [
      ["Tracks progress by its stories", mode("ralph", "a finished story is told", "the current story")],
      ["Asks an architect", mode("ralph", "the review names the reviewer")],
      [
        "Goes on until that one agrees",
        mode("ralph", "the reviewer approves a complete PRD", "an approval by the main agent"),
      ],
      ["Reads a structured PRD", mode("ralph", "its criteria", "a broken PRD is named")],
    ],
  },
  {
    title: "ultrapilot",
    hooks: ["ultrapilot"],
    demands: [
      [
        "Divides the work",
        shows("src/domain/mode/ultrapilot/workers.test.ts", "workers are made for the subtasks of a split"),
      ],
      ["Gives files to workers", mode("ultrapilot", "a file of another worker", "its own file")],
      ["Coordinates them", mode("ultrapilot", "workers are pending", "a silent worker")],
      [
        "Integrates the results",
        mode("ultrapilot", "all are complete, not integrated", "all are complete and integrated"),
      ],
    ],
  },
  {
    title: "swarm",
    hooks: ["swarm"],
    demands: [
      [
        "Tasks are claimed in SQLite",
        shows(
          "src/domain/board/board.property.test.ts",
          "claims no task twice at once, loses none, finishes each once and keeps the order, whatever the agents do",
        ),
      ],
      [
        "A claim ends after five minutes",
        boards("come back when their lease ends without a heartbeat, and a late result is refused"),
      ],
      [
        "Claim and release are atomic",
        shows(
          "src/cli/commands/swarm/processes.test.ts",
          "processes that make the board at the same time make one, and none fails",
        ),
        shows(
          "src/domain/board/board.property.test.ts",
          "claims no task twice at once, loses none, finishes each once and keeps the order, whatever the agents do",
        ),
      ],
      ["The end is recognised", mode("swarm", "all are done", "a task is pending", "a task is claimed")],
    ],
  },
  {
    title: "learner",
    hooks: ["learner"],
    demands: [
      ["Recognises what a conversation has found out", learner("a solved problem", "another kind of solved problem")],
      ["Writes it into a skill's file", learner("written by itself", "is left to a job, without its secrets")],
      ["Brings fitting skills along by itself", learner("a trigger", "the best three")],
      [
        "Manages them",
        shows("src/cli/commands/skills/command.test.ts", "show uses, last use and quality", "removes one file"),
      ],
    ],
  },
];
