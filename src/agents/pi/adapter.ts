import path from "node:path";
import type { Adapter } from "../adapter.ts";
import { jsonReply } from "../answer.ts";
import { encodeForPlugin, type PluginAnswer } from "../plugin/answer.ts";
import { PI } from "./declaration.ts";
import { decode } from "./decode.ts";
import { agentFolder, extensionIn } from "./folders.ts";
import { PI_TOOLS } from "./tools.ts";

export const pi: Adapter = {
  id: PI.id,
  declaration: PI,
  decode,
  encode: (event, ruling) => encodeForPlugin({ declaration: PI, tools: PI_TOOLS }, event, ruling),
  denyUnreadable: (_agentEvent, text) => jsonReply({ deny: text } satisfies PluginAnswer, `${text}\n`),
  settingsFiles(env, userHome, cwd, project) {
    const user = agentFolder(env, userHome);
    const own = [path.join(project, ".pi"), path.join(cwd, ".pi")];
    return [extensionIn(user), ...[...new Set([user, ...own])].map((folder) => path.join(folder, "settings.json"))];
  },
};
