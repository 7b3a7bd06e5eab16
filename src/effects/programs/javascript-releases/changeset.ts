import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";

export default program({
  names: ["changeset"],
  kind: "publish",
  dry: "dry-run",
  rules: [["publish", PACKAGE]],
  examples: {
    hit: ["changeset publish"],
    pass: ["changeset publish --dry-run"],
  },
});
