import path from "node:path";
import type { Adapter } from "../adapter.ts";
import { encodeForPlugin, unreadableForPlugin } from "../plugin/answer.ts";
import { BEFORE_CALL, OPENCODE } from "./declaration.ts";
import { decode, OPENCODE_TOOLS } from "./decode.ts";
import { configFolder, pluginIn, projectFolder } from "./folders.ts";

/** Its own settings can name other plugins and switch tools on, so they count as settings as well. */
const SETTINGS = ["opencode.json", "opencode.jsonc"];

export const opencode: Adapter = {
  id: OPENCODE.id,
  declaration: OPENCODE,
  decode,
  encode: (event, ruling) => encodeForPlugin({ declaration: OPENCODE, tools: OPENCODE_TOOLS }, event, ruling),
  // There is one form of answer only.
  inForm: (_event, reply) => reply,
  encodeUnreadable: (agentEvent, text) => unreadableForPlugin(agentEvent === BEFORE_CALL, text),
  isGuarded: (agentEvent) => agentEvent === BEFORE_CALL,
  // opencode puts nothing that a project sets into its own environment.
  projectSettings: () => [],
  settingsFiles(env, userHome, cwd, project) {
    const user = configFolder(env, userHome);
    const folders = [...new Set([user, projectFolder(project), projectFolder(cwd)])];
    const own = [user, project, cwd, ...folders].flatMap((folder) => SETTINGS.map((name) => path.join(folder, name)));
    return [...new Set([...folders.map(pluginIn), ...own])];
  },
};
