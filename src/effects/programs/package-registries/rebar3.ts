import { program } from "../../program.ts";
import { PACKAGE } from "./phrases.ts";

export default program({
  names: ["rebar3"],
  kind: "publish",
  exempt: "their words are tasks of the project",
  dry: "dry-run",
  rules: [["hex publish", PACKAGE]],
  examples: {
    hit: ["rebar3 hex publish"],
    pass: ["rebar3 hex publish --dry-run"],
  },
});
