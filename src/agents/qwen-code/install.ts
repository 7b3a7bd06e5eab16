import path from "node:path";
import { clientFor } from "../client-arguments.ts";
import { GROUPED, hooksDisabled, installHooks } from "../grouped-hooks.ts";
import { type Installer, ownProjectFile, usualParts } from "../installer.ts";
import { shellLine } from "../own-handlers.ts";
import { QWEN_CODE } from "./declaration.ts";
import { qwenFolder } from "./folder.ts";

const TIMEOUT_SECONDS = 5;

export const qwenInstaller: Installer = {
  ...usualParts(QWEN_CODE),
  ...GROUPED,
  settingsFile(scope, { env, userHome, project }) {
    const own = path.join(qwenFolder(env, userHome), "settings.json");
    return scope === "user" ? own : ownProjectFile(path.join(project, ".qwen", "settings.json"), own);
  },
  install(text, wanted) {
    const entries = wanted.events.map(({ event }) => {
      const command = shellLine(clientFor(QWEN_CODE.id, event, wanted));
      return { event, handler: { type: "command", command, timeout: TIMEOUT_SECONDS } };
    });
    return installHooks(text, { file: wanted.file, entries, isOurs: wanted.isOurs });
  },
  isDisabled: hooksDisabled,
};
