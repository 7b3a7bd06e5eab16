import path from "node:path";
import type { Adapter } from "../adapter.ts";
import { jsonReply } from "../answer.ts";
import { encodeForPlugin, type PluginAnswer } from "../plugin/answer.ts";
import { OPENCODE } from "./declaration.ts";
import { decode, OPENCODE_TOOLS } from "./decode.ts";
import { configFolder, pluginIn, projectFolder } from "./folders.ts";

/** Its own settings can name other plugins and switch tools on, so they count as settings as well. */
const SETTINGS = ["opencode.json", "opencode.jsonc"];

export const opencode: Adapter = {
  id: OPENCODE.id,
  declaration: OPENCODE,
  decode,
  encode: (event, ruling) => encodeForPlugin({ declaration: OPENCODE, tools: OPENCODE_TOOLS }, event, ruling),
  denyUnreadable: (_agentEvent, text) => jsonReply({ deny: text } satisfies PluginAnswer, `${text}\n`),
  settingsFiles(env, userHome, cwd, project) {
    const user = configFolder(env, userHome);
    const folders = [...new Set([user, projectFolder(project), projectFolder(cwd)])];
    const own = [user, project, cwd, ...folders].flatMap((folder) => SETTINGS.map((name) => path.join(folder, name)));
    return [...new Set([...folders.map(pluginIn), ...own])];
  },
};
