import path from "node:path";
import { clientFor } from "../client-arguments.ts";
import { GROUPED, hooksMember, installHooks } from "../grouped-hooks.ts";
import { type Installer, ownProjectFile, usualParts } from "../installer.ts";
import { shellLine } from "../own-handlers.ts";
import { DROID } from "./declaration.ts";

const TIMEOUT_SECONDS = 5;

export const droidInstaller: Installer = {
  ...usualParts(DROID),
  ...GROUPED,
  settingsFile(scope, { userHome, project }) {
    const own = path.join(userHome, ".factory", "settings.json");
    return scope === "user" ? own : ownProjectFile(path.join(project, ".factory", "settings.json"), own);
  },
  install(text, wanted) {
    const entries = wanted.events.map(({ event }) => {
      const command = shellLine(clientFor(DROID.id, event, wanted));
      return { event, handler: { type: "command", command, timeout: TIMEOUT_SECONDS } };
    });
    return installHooks(text, { file: wanted.file, entries, isOurs: wanted.isOurs });
  },
  isDisabled: (text) => hooksMember(text, "hooksDisabled") === true,
};
