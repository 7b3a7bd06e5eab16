import { program } from "../../program.ts";
import { PACKAGE } from "./phrases.ts";

export default program({
  names: ["ansible-galaxy"],
  kind: "publish",
  exempt: "their words are packages",
  dry: "dry-run",
  rules: [["collection publish", PACKAGE]],
  examples: {
    hit: ["ansible-galaxy collection publish"],
    pass: ["ansible-galaxy collection publish --dry-run"],
  },
});
