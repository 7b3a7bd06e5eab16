import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";

export default program({
  names: ["np", "release-it", "release-plz"],
  kind: "publish",
  dry: "dry-run d preview v version release-version changelog",
  rules: [["**", PACKAGE]],
  examples: {
    hit: ["np"],
    pass: ["np --dry-run"],
  },
});
