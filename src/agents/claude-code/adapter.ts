import path from "node:path";
import type { Adapter } from "../adapter.ts";
import { rememberedFiles } from "../remembered-files.ts";
import { CLAUDE_CODE } from "./declaration.ts";
import { decode } from "./decode.ts";
import { denyUnreadable, encode, inForm } from "./encode.ts";

const files = rememberedFiles();

function projectSettings(env: Readonly<Record<string, string>>, cwd: string, project: string): string[] {
  const folders = new Set([project, cwd, ...(env.CLAUDE_PROJECT_DIR ? [env.CLAUDE_PROJECT_DIR] : [])]);
  return [...folders].flatMap((folder) =>
    ["settings.json", "settings.local.json"].map((name) => path.join(folder, ".claude", name)),
  );
}

export const claudeCode: Adapter = {
  id: CLAUDE_CODE.id,
  declaration: CLAUDE_CODE,
  decode,
  encode,
  inForm,
  denyUnreadable,
  projectSettings,
  settingsFiles(env, userHome, cwd, project) {
    return files([env.CLAUDE_CONFIG_DIR, env.CLAUDE_PROJECT_DIR, userHome, cwd, project], () => {
      const personal = env.CLAUDE_CONFIG_DIR || path.join(userHome, ".claude");
      return [
        path.join(personal, "settings.json"),
        path.join(personal, "settings.local.json"),
        ...projectSettings(env, cwd, project),
        "/etc/claude-code/managed-settings.json",
      ];
    });
  },
};
