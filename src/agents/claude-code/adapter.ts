import path from "node:path";
import type { Adapter } from "../adapter.ts";
import { decode } from "./decode.ts";
import { encode, encodeUnreadable, isGuardedEvent } from "./encode.ts";

export const claudeCode: Adapter = {
  id: "claude-code",
  decode,
  encode,
  encodeUnreadable,
  isGuarded: isGuardedEvent,
  settingsFiles(env, userHome, cwd, project) {
    const personal = env.CLAUDE_CONFIG_DIR || path.join(userHome, ".claude");
    const folders = new Set([project, cwd, ...(env.CLAUDE_PROJECT_DIR ? [env.CLAUDE_PROJECT_DIR] : [])]);
    const files = [path.join(personal, "settings.json"), path.join(personal, "settings.local.json")];
    for (const folder of folders) {
      files.push(path.join(folder, ".claude", "settings.json"), path.join(folder, ".claude", "settings.local.json"));
    }
    files.push("/etc/claude-code/managed-settings.json");
    return files;
  },
};
