import path from "node:path";
import type { Adapter } from "../adapter.ts";
import { rememberedFiles } from "../remembered-files.ts";
import { COPILOT_CLI } from "./declaration.ts";
import { decode } from "./decode.ts";
import { denyUnreadable, encode } from "./encode.ts";
import { copilotFolder, HOOKS_FILE } from "./folder.ts";

const files = rememberedFiles();

export const copilotCli: Adapter = {
  id: COPILOT_CLI.id,
  declaration: COPILOT_CLI,
  decode,
  encode,
  denyUnreadable,
  settingsFiles(env, userHome, cwd, project) {
    const own = copilotFolder(env, userHome);
    return files([own, cwd, project], () => [
      path.join(own, HOOKS_FILE),
      path.join(own, "settings.json"),
      path.join(own, "config.json"),
      ...[...new Set([project, cwd])].map((folder) => path.join(folder, ".github", HOOKS_FILE)),
    ]);
  },
};
