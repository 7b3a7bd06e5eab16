import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";

export default program({
  names: ["snapcraft"],
  kind: "publish",
  dry: "dry-run",
  rules: [["upload|push|release", PACKAGE]],
  examples: {
    hit: ["snapcraft upload"],
    pass: ["snapcraft upload --dry-run"],
  },
});
