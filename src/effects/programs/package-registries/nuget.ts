import { NUGET_REGISTRY } from "../../line/local-registry.ts";
import { program } from "../../program.ts";
import { PACKAGE, UNPUBLISH } from "./phrases.ts";

export default program({
  names: ["nuget"],
  kind: "publish",
  dry: "dry-run",
  rules: [
    ["push", PACKAGE],
    ["delete", UNPUBLISH],
  ],
  registry: NUGET_REGISTRY,
  examples: {
    hit: ["nuget push a.nupkg", "nuget delete"],
    pass: ["nuget push a.nupkg --dry-run"],
  },
});
