import { program } from "../../program.ts";
import { PACKAGE } from "./phrases.ts";

export default program({
  names: ["swift"],
  kind: "publish",
  exempt: "their words are tasks of the project",
  dry: "dry-run",
  rules: [["package-registry publish", PACKAGE]],
  examples: {
    hit: ["swift package-registry publish"],
    pass: ["swift package-registry publish --dry-run"],
  },
});
