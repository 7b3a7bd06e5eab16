import path from "node:path";
import type { Adapter } from "../adapter.ts";
import { CODEX } from "./declaration.ts";
import { decode } from "./decode.ts";
import { denyUnreadable, encode } from "./encode.ts";

export const codex: Adapter = {
  id: CODEX.id,
  declaration: CODEX,
  decode,
  encode,
  denyUnreadable,
  settingsFiles(env, userHome, cwd, project) {
    const folders = new Set([
      env.CODEX_HOME || path.join(userHome, ".codex"),
      path.join(project, ".codex"),
      path.join(cwd, ".codex"),
    ]);
    return [...folders].flatMap((folder) => [path.join(folder, "hooks.json"), path.join(folder, "config.toml")]);
  },
};
