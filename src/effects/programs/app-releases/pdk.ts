import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";

export default program({
  names: ["pdk"],
  kind: "publish",
  dry: "dry-run",
  rules: [["release publish", PACKAGE]],
  examples: {
    hit: ["pdk release publish"],
    pass: ["pdk release publish --dry-run"],
  },
});
