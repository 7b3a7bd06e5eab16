import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";

export default program({
  names: ["auto"],
  kind: "publish",
  dry: "dry-run",
  rules: [["shipit|release", PACKAGE]],
  examples: {
    hit: ["auto shipit"],
    pass: ["auto shipit --dry-run"],
  },
});
