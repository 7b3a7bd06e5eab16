import { both } from "../../effect.ts";
import { NPM_REGISTRY } from "../../line/local-registry.ts";
import { program } from "../../program.ts";
import { PACKAGE, UNPUBLISH } from "../package-registries/phrases.ts";
import { addressedCode, behind } from "./foreign-code.ts";
import { projectTool } from "./project-tools.ts";

export default program({
  names: ["bun"],
  kind: "publish",
  exempt: "their words are tasks of the project",
  values: "tag access otp registry w workspace C prefix filter F dir",
  dry: "dry-run n",
  rules: [
    ["publish|publis|publi|publ|pub", PACKAGE, { instead: "run it with --dry-run first" }],
    ["unpublish", UNPUBLISH],
    ["deprecate", "marks {} as deprecated for everyone"],
    ["owner rm", "removes an owner of the package"],
    ["access public|set", "changes who can see the package"],
    ["org rm", "removes a member"],
    ["npm publish", PACKAGE],
    ["workspace * publish", PACKAGE],
    ["workspace * npm publish", PACKAGE],
    ["workspaces foreach npm publish", PACKAGE],
  ],
  also: both(behind("x run", addressedCode), projectTool),
  registry: NPM_REGISTRY,
  examples: {
    hit: [
      "bun publish",
      "bun x github:someone/tool",
      "bun unpublish",
      "bun deprecate web",
      "bun owner rm",
      "bun access public",
      "bun org rm",
      "bun npm publish",
      "bun workspace web publish",
      "bun workspace web npm publish",
      "bun workspaces foreach npm publish",
    ],
    pass: ["bun x eslint"],
  },
});
