import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";

export default program({
  names: ["goreleaser"],
  kind: "publish",
  values: "f config",
  dry: "snapshot skip=publish",
  rules: [["release", PACKAGE, { unless: "snapshot" }]],
  examples: {
    hit: ["goreleaser release --clean"],
    pass: ["goreleaser build --snapshot", "goreleaser release --snapshot --clean", "goreleaser check"],
  },
});
