import { pluginInstaller } from "../plugin/file.ts";
import { PI } from "./declaration.ts";
import { agentFolder, extensionIn } from "./folders.ts";

export const piInstaller = pluginInstaller(
  {
    declaration: PI,
    // pi loads extensions of a project only where the person has trusted it, so there is no such scope.
    scopes: ["user"],
    denyAll: 'input.on("tool_call", () => ({ block: true, reason }))',
  },
  (_scope, { env, userHome }) => extensionIn(agentFolder(env, userHome)),
);
