import path from "node:path";
import type { Adapter } from "../adapter.ts";
import { envFilesAbove } from "../env-files.ts";
import { rememberedFiles } from "../remembered-files.ts";
import { QWEN_CODE } from "./declaration.ts";
import { decode } from "./decode.ts";
import { denyUnreadable, encode } from "./encode.ts";
import { qwenFolder } from "./folder.ts";

const files = rememberedFiles();

function inProject(cwd: string, project: string): string[] {
  return [...new Set([project, cwd])].map((folder) => path.join(folder, ".qwen", "settings.json"));
}

export const qwenCode: Adapter = {
  id: QWEN_CODE.id,
  declaration: QWEN_CODE,
  decode,
  encode,
  denyUnreadable,
  projectSettings: (env, cwd, project) => [...inProject(cwd, project), ...envFilesAbove(cwd, ".qwen", env.HOME ?? "")],
  settingsFiles(env, userHome, cwd, project) {
    const own = qwenFolder(env, userHome);
    return files([own, cwd, project], () => [path.join(own, "settings.json"), ...inProject(cwd, project)]);
  },
};
