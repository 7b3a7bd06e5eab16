import path from "node:path";
import type { Adapter } from "../adapter.ts";
import { rememberedFiles } from "../remembered-files.ts";
import { DROID } from "./declaration.ts";
import { decode } from "./decode.ts";
import { encode, encodeUnreadable } from "./encode.ts";

const files = rememberedFiles();

export const droid: Adapter = {
  id: DROID.id,
  declaration: DROID,
  decode,
  encode,
  // There is one form of answer only.
  inForm: (_event, reply) => reply,
  encodeUnreadable,
  isGuarded: (agentEvent) => agentEvent === "PreToolUse",
  // Droid puts nothing that a project sets into the environment of its hooks.
  projectSettings: () => [],
  settingsFiles(_env, userHome, cwd, project) {
    return files([userHome, cwd, project], () =>
      [...new Set([userHome, project, cwd])].flatMap((folder) =>
        ["settings.json", "settings.local.json", "hooks.json"].map((name) => path.join(folder, ".factory", name)),
      ),
    );
  },
};
