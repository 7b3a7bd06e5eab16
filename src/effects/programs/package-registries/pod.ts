import { program } from "../../program.ts";
import { PACKAGE, UNPUBLISH } from "./phrases.ts";

export default program({
  names: ["pod"],
  kind: "publish",
  exempt: "their words are packages",
  dry: "dry-run",
  rules: [
    ["trunk push", PACKAGE],
    ["trunk delete|deprecate", UNPUBLISH],
  ],
  examples: {
    hit: ["pod trunk push A.podspec", "pod trunk delete"],
    pass: ["pod lib lint"],
  },
});
