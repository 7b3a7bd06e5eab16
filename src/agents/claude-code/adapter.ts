import path from "node:path";
import type { Adapter } from "../adapter.ts";
import { CLAUDE_CODE } from "./declaration.ts";
import { decode } from "./decode.ts";
import { encode, encodeUnreadable, inForm, isGuardedEvent } from "./encode.ts";

/** A cache that returns the same array object for the same input, so that callers can use it as a cache key. */
const settings = new Map<string, readonly string[]>();
const MOST_KNOWN = 200;

export const claudeCode: Adapter = {
  id: CLAUDE_CODE.id,
  declaration: CLAUDE_CODE,
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
    const key = [env.CLAUDE_CONFIG_DIR, env.CLAUDE_PROJECT_DIR, userHome, cwd, project].join("\0");
    const known = settings.get(key);
    if (known) return known;
    const personal = env.CLAUDE_CONFIG_DIR || path.join(userHome, ".claude");
    const files = [
      path.join(personal, "settings.json"),
      path.join(personal, "settings.local.json"),
      ...claudeCode.projectSettings(env, cwd, project),
      "/etc/claude-code/managed-settings.json",
    ];
    if (settings.size >= MOST_KNOWN) settings.clear();
    settings.set(key, files);
    return files;
  },
};
