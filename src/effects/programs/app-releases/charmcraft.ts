import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";

export default program({
  names: ["charmcraft", "rockcraft"],
  kind: "publish",
  dry: "dry-run",
  rules: [["upload|release|publish-lib", PACKAGE]],
  examples: {
    hit: ["charmcraft upload"],
    pass: ["charmcraft upload --dry-run"],
  },
});
