import { program } from "../../program.ts";
import { PACKAGE } from "./phrases.ts";

export default program({
  names: ["sbt"],
  kind: "publish",
  exempt: "their words are tasks of the project",
  dry: "dry-run",
  rules: [["** publish|+publish|publishSigned|+publishSigned|sonatypeRelease|sonatypeBundleRelease|release", PACKAGE]],
  examples: {
    hit: ["sbt publish"],
    pass: ["sbt publishLocal"],
  },
});
