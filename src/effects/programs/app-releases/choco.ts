import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";

export default program({
  names: ["choco"],
  kind: "publish",
  dry: "dry-run",
  rules: [["push", PACKAGE]],
  examples: {
    hit: ["choco push"],
    pass: ["choco push --dry-run"],
  },
});
