import { program } from "../../program.ts";
import { PACKAGE, UNPUBLISH } from "../package-registries/phrases.ts";

export default program({
  names: ["vsce", "ovsx"],
  kind: "publish",
  values: "p pat i packagePath",
  dry: "dry-run",
  rules: [
    ["publish", PACKAGE],
    ["unpublish", UNPUBLISH],
  ],
  examples: {
    hit: ["vsce publish minor", "vsce unpublish"],
    pass: ["vsce package", "vsce ls"],
  },
});
