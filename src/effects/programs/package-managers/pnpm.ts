import { both } from "../../effect.ts";
import { NPM_REGISTRY } from "../../line/local-registry.ts";
import { program } from "../../program.ts";
import { PACKAGE, UNPUBLISH } from "../package-registries/phrases.ts";
import { behind, npmPackage } from "./foreign-code.ts";
import { projectTool, releaseTool } from "./project-tools.ts";

export default program({
  names: ["pnpm"],
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
  also: both(behind("dlx exec", npmPackage), projectTool, releaseTool),
  registry: NPM_REGISTRY,
  examples: {
    hit: [
      "pnpm publish --no-git-checks",
      "pnpm -r publish",
      "pnpm dlx github:someone/tool",
      "pnpm unpublish",
      "pnpm deprecate web",
      "pnpm owner rm",
      "pnpm access public",
      "pnpm org rm",
      "pnpm npm publish",
      "pnpm workspace web publish",
      "pnpm workspace web npm publish",
      "pnpm workspaces foreach npm publish",
    ],
    pass: [
      "pnpm run reset",
      "pnpm publish --dry-run",
      "pnpm install",
      "pnpm publish --no-git-checks --registry http://localhost:4873",
      "pnpm dlx eslint",
    ],
  },
});
