import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";

export default program({
  names: ["wasm-pack"],
  kind: "publish",
  dry: "dry-run",
  rules: [["publish", PACKAGE]],
  examples: {
    hit: ["wasm-pack publish"],
    pass: ["wasm-pack publish --dry-run"],
  },
});
