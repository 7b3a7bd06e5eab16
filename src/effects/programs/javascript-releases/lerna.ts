import { NPM_REGISTRY } from "../../line/local-registry.ts";
import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";

export default program({
  names: ["lerna"],
  kind: "publish",
  exempt: "their words are tasks of the project",
  dry: "dry-run",
  rules: [["publish", PACKAGE]],
  registry: NPM_REGISTRY,
  examples: {
    hit: ["lerna publish from-package --yes"],
    pass: ["lerna version", "lerna run publish", "lerna publish from-package --registry http://localhost:4873"],
  },
});
