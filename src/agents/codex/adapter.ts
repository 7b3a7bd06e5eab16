import path from "node:path";
import type { Adapter } from "../adapter.ts";
import { CODEX } from "./declaration.ts";
import { decode } from "./decode.ts";
import { encode, encodeUnreadable } from "./encode.ts";

export const codex: Adapter = {
  id: CODEX.id,
  declaration: CODEX,
  decode,
  encode,
  // There is one form of answer only.
  inForm: (_event, reply) => reply,
  encodeUnreadable,
  isGuarded: (agentEvent) => agentEvent === "PreToolUse",
  // Codex puts nothing that a project sets into the environment of its hooks.
  projectSettings: () => [],
  settingsFiles(env, userHome, cwd, project) {
    const folders = new Set([
      env.CODEX_HOME || path.join(userHome, ".codex"),
      path.join(project, ".codex"),
      path.join(cwd, ".codex"),
    ]);
    return [...folders].flatMap((folder) => [path.join(folder, "hooks.json"), path.join(folder, "config.toml")]);
  },
};
