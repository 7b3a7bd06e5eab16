import { program } from "../../program.ts";
import { PACKAGE } from "./phrases.ts";

export default program({
  names: ["cabal"],
  kind: "publish",
  exempt: "their words are tasks of the project",
  dry: "dry-run",
  rules: [["upload", PACKAGE, { needs: "publish" }]],
  examples: {
    hit: ["cabal upload --publish"],
    pass: ["cabal upload"],
  },
});
