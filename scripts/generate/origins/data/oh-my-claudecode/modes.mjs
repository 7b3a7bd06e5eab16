// Execution modes.

const e2e = (...names) => names.map((name) => `test/e2e/${name}.test.ts`);
const MODES = e2e("modes", "modes-beside", "modes-end");

export const MODE_GROUPS = [
  {
    group: "Execution modes",
    hooks: [
      {
        hook: "autopilot",
        policies: ["modes/autopilot"],
        tests: [...MODES, "src/engine/tests/autopilot-session.test.ts"],
        differs: [
          [
            "A phase ends by a word alone on a line of the last message",
            "Transcripts were searched at paths that do not exist.",
          ],
          ["Only words that lead a sentence start it", '"I want a" and "make me" stand in everyday prompts.'],
        ],
      },
      {
        hook: "ultrawork",
        policies: ["modes/ultrawork"],
        tests: MODES,
        differs: [["It ends by its word, or after 50 rounds", "There it went on as long as its state was active."]],
      },
      {
        hook: "ralph",
        policies: ["modes/ralph"],
        tests: [...MODES, ...e2e("modes-ralph")],
        differs: [
          [
            "A reviewer has to agree in its own last message",
            "Nothing began the review there, and phrases of the main agent counted.",
          ],
          ["A list of stories without a story ends nothing", "It counted as complete."],
        ],
      },
      {
        hook: "ultrapilot",
        policies: ["modes/ultrapilot"],
        tests: [...MODES, "src/domain/mode/ultrapilot/workers.test.ts"],
        differs: [["An edit of another worker's file is denied", "Who owns a file was only written down."]],
      },
      {
        hook: "swarm",
        policies: ["modes/swarm"],
        commands: ["swarm"],
        tests: [...MODES, "src/cli/commands/swarm/command.test.ts", "src/cli/commands/swarm/processes.test.ts"],
        differs: [
          ["A task can be completed, by its owner alone", "Completing failed at an error of the program, each time."],
          ["Tasks come in the order of adding", "The order was that of texts: `task-10` before `task-2`."],
        ],
      },
      {
        hook: "ultraqa",
        policies: ["modes/ultraqa", "modes/ultraqa-suggestion"],
        tests: MODES,
        differs: [
          [
            "A failed test suggests it, and starts nothing",
            "The documentation names test failures as its trigger; no hook was there.",
          ],
        ],
      },
      {
        hook: "mode-registry",
        policies: ["modes/mode-registry", "modes/ecomode", "modes/pipeline"],
        commands: ["mode"],
        tests: MODES,
        differs: [
          [
            "A mode belongs to one session",
            "Its state was the project's, with a copy in the home folder, and held other sessions.",
          ],
          ["A board that was left blocks no mode", "The mere file of an ended swarm did."],
        ],
      },
      {
        hook: "persistent-mode",
        policies: ["modes/persistent-mode", "modes/typed-meanwhile"],
        tests: [...MODES, ...e2e("stop-holds"), "src/engine/tests/stubborn-model.test.ts"],
        differs: [
          [
            "Three idle rounds in a row end a turn",
            "The client ends it after eight blocks in any case; limits of 50 and 100 were out of reach.",
          ],
          [
            "`reason` fields of a stop are not read",
            "The client sends none of them; what they meant is known by other events.",
          ],
        ],
      },
    ],
  },
];
