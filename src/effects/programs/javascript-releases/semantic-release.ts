import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";

export default program({
  names: ["semantic-release"],
  kind: "publish",
  dry: "dry-run d v version",
  rules: [["**", PACKAGE]],
  examples: {
    hit: ["semantic-release"],
    pass: ["semantic-release --dry-run"],
  },
});
