import { both } from "../../effect.ts";
import { NPM_REGISTRY } from "../../line/local-registry.ts";
import { program } from "../../program.ts";
import { PACKAGE, UNPUBLISH } from "../package-registries/phrases.ts";
import { behind, npmPackage } from "./foreign-code.ts";
import { projectTool, releaseTool } from "./project-tools.ts";

export default program({
  names: ["yarn"],
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
  also: both(behind("dlx", npmPackage), projectTool, releaseTool),
  registry: NPM_REGISTRY,
  examples: {
    hit: [
      "yarn publish",
      "yarn npm publish",
      "yarn workspace a npm publish",
      "yarn dlx github:someone/tool",
      "yarn unpublish",
      "yarn deprecate web",
      "yarn owner rm",
      "yarn access public",
      "yarn org rm",
      "yarn workspace web publish",
      "yarn workspaces foreach npm publish",
    ],
    pass: [
      "yarn build",
      "yarn pack",
      "yarn install",
      "yarn npm info",
      "yarn publish --registry http://localhost:4873",
      "yarn typeorm query 'SELECT 1'",
      "yarn dlx eslint",
    ],
  },
});
