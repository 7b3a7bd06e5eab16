import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";

export default program({
  names: ["web-ext"],
  kind: "publish",
  dry: "dry-run",
  rules: [["sign", PACKAGE]],
  examples: {
    hit: ["web-ext sign"],
    pass: ["web-ext sign --dry-run"],
  },
});
