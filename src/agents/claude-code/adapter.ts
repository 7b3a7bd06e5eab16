import path from "node:path";
import type { Adapter } from "../adapter.ts";
import { decode } from "./decode.ts";
import { encode, encodeUnreadable, inForm, isGuardedEvent } from "./encode.ts";

export const claudeCode: Adapter = {
  id: "claude-code",
  decode,
  encode,
  inForm,
  encodeUnreadable,
  isGuarded: isGuardedEvent,
  projectSettings(env, cwd, project) {
    const folders = new Set([project, cwd, ...(env.CLAUDE_PROJECT_DIR ? [env.CLAUDE_PROJECT_DIR] : [])]);
    return [...folders].flatMap((folder) =>
      ["settings.json", "settings.local.json"].map((name) => path.join(folder, ".claude", name)),
    );
  },
  settingsFiles(env, userHome, cwd, project) {
    const personal = env.CLAUDE_CONFIG_DIR || path.join(userHome, ".claude");
    return [
      path.join(personal, "settings.json"),
      path.join(personal, "settings.local.json"),
      ...claudeCode.projectSettings(env, cwd, project),
      "/etc/claude-code/managed-settings.json",
    ];
  },
};
