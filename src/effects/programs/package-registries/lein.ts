import { program } from "../../program.ts";
import { PACKAGE } from "./phrases.ts";

export default program({
  names: ["lein"],
  kind: "publish",
  exempt: "their words are tasks of the project",
  dry: "dry-run",
  rules: [["deploy", PACKAGE]],
  examples: {
    hit: ["lein deploy"],
    pass: ["lein deploy --dry-run"],
  },
});
