import { ownProjectFile } from "../installer.ts";
import { pluginInstaller } from "../plugin/file.ts";
import { OPENCODE } from "./declaration.ts";
import { configFolder, pluginIn, projectFolder } from "./folders.ts";

export const opencodeInstaller = pluginInstaller(
  {
    declaration: OPENCODE,
    denyAll: '{ "tool.execute.before": () => Promise.reject(new Error(reason)) }',
  },
  (scope, { env, userHome, project }) => {
    const own = pluginIn(configFolder(env, userHome));
    return scope === "user" ? own : ownProjectFile(pluginIn(projectFolder(project)), own);
  },
);
