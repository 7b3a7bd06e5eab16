import path from "node:path";
import type { Adapter } from "../adapter.ts";
import { encodeForPlugin, unreadableForPlugin } from "../plugin/answer.ts";
import { BEFORE_CALL, PI } from "./declaration.ts";
import { decode } from "./decode.ts";
import { agentFolder, extensionIn } from "./folders.ts";
import { PI_TOOLS } from "./tools.ts";

export const pi: Adapter = {
  id: PI.id,
  declaration: PI,
  decode,
  encode: (event, ruling) => encodeForPlugin({ declaration: PI, tools: PI_TOOLS }, event, ruling),
  // There is one form of answer only.
  inForm: (_event, reply) => reply,
  encodeUnreadable: (agentEvent, text) => unreadableForPlugin(agentEvent === BEFORE_CALL, text),
  isGuarded: (agentEvent) => agentEvent === BEFORE_CALL,
  // pi puts nothing that a project sets into its own environment.
  projectSettings: () => [],
  settingsFiles(env, userHome, cwd, project) {
    const user = agentFolder(env, userHome);
    const own = [path.join(project, ".pi"), path.join(cwd, ".pi")];
    return [extensionIn(user), ...[...new Set([user, ...own])].map((folder) => path.join(folder, "settings.json"))];
  },
};
