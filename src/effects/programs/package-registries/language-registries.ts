import { program } from "../../program.ts";
import { PACKAGE } from "./phrases.ts";

export default program({
  names: ["jsr", "elm", "gleam", "nimble", "opam", "rye", "maturin"],
  kind: "publish",
  exempt: "their words are packages",
  dry: "dry-run",
  rules: [["publish|upload", PACKAGE]],
  examples: {
    hit: ["jsr publish"],
    pass: ["jsr publish --dry-run"],
  },
});
