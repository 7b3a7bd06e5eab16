import { knownWord } from "../../../shell/command.ts";
import type { Family } from "../../effect.ts";
import { quotedWords } from "../../line/line-text.ts";
import { program } from "../../program.ts";

const sailWords: Family = (command, scene) =>
  scene.nested(quotedWords([knownWord("php"), ...command.argv.slice(1)]), command);

/** Laravel in a container: its words are those of php. */
export default program({
  names: ["sail"],
  kind: "destroy-database",
  exempt: "their words are tasks of the project",
  also: sailWords,
  examples: {
    hit: ["sail artisan migrate:fresh"],
    pass: ["sail artisan migrate"],
  },
});
