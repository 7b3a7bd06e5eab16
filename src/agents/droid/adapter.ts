import path from "node:path";
import type { Adapter } from "../adapter.ts";
import { rememberedFiles } from "../remembered-files.ts";
import { DROID } from "./declaration.ts";
import { decode } from "./decode.ts";
import { denyUnreadable, encode } from "./encode.ts";

const files = rememberedFiles();

export const droid: Adapter = {
  id: DROID.id,
  declaration: DROID,
  decode,
  encode,
  denyUnreadable,
  settingsFiles(_env, userHome, cwd, project) {
    return files([userHome, cwd, project], () =>
      [...new Set([userHome, project, cwd])].flatMap((folder) =>
        ["settings.json", "settings.local.json", "hooks.json"].map((name) => path.join(folder, ".factory", name)),
      ),
    );
  },
};
