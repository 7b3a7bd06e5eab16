import path from "node:path";
import type { Adapter } from "../adapter.ts";
import { envFilesAbove } from "../env-files.ts";
import { rememberedFiles } from "../remembered-files.ts";
import { GEMINI_CLI } from "./declaration.ts";
import { decode } from "./decode.ts";
import { denyUnreadable, encode } from "./encode.ts";
import { geminiFolder } from "./folder.ts";

const files = rememberedFiles();

export const geminiCli: Adapter = {
  id: GEMINI_CLI.id,
  declaration: GEMINI_CLI,
  decode,
  encode,
  denyUnreadable,
  projectSettings: (env, cwd) => envFilesAbove(cwd, ".gemini", env.HOME ?? ""),
  settingsFiles(env, userHome, cwd, project) {
    const own = geminiFolder(env, userHome);
    return files([own, cwd, project], () => [
      path.join(own, "settings.json"),
      path.join(own, "extensions", "extension-enablement.json"),
      path.join(own, "extensions", "hookwright"),
      ...[...new Set([project, cwd])].map((folder) => path.join(folder, ".gemini", "settings.json")),
    ]);
  },
};
