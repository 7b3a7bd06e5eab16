import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";

export default program({
  names: ["buf"],
  kind: "publish",
  dry: "dry-run",
  rules: [["push", PACKAGE]],
  examples: {
    hit: ["buf push"],
    pass: ["buf push --dry-run"],
  },
});
