import { program } from "../../program.ts";
import { PACKAGE } from "./phrases.ts";

export default program({
  names: ["flit", "hatch", "pdm"],
  kind: "publish",
  exempt: "their words are packages",
  dry: "dry-run",
  rules: [["publish", PACKAGE]],
  examples: {
    hit: ["flit publish", "hatch publish"],
    pass: ["hatch build", "flit publish --repository testpypi"],
  },
});
