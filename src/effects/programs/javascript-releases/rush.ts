import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";

export default program({
  names: ["rush"],
  kind: "publish",
  exempt: "their words are tasks of the project",
  dry: "dry-run",
  rules: [["publish", PACKAGE]],
  examples: {
    hit: ["rush publish --apply"],
    pass: ["rush build", "rush publish --dry-run"],
  },
});
