import path from "node:path";
import { clientFor } from "../client-arguments.ts";
import { eventsInSettings, hooksDisabled, installHooks, profilesInSettings, removeHooks } from "../grouped-hooks.ts";
import { type Installer, ownProjectFile } from "../installer.ts";
import { shellLine } from "../own-handlers.ts";
import { programOnPath } from "../program-on-path.ts";
import { versionOf } from "../version-of.ts";
import { QWEN_CODE } from "./declaration.ts";
import { qwenFolder } from "./folder.ts";

const TIMEOUT_SECONDS = 5;

export const qwenInstaller: Installer = {
  scopes: ["user", "project"],
  settingsFile(scope, { env, userHome, project }) {
    const own = path.join(qwenFolder(env, userHome), "settings.json");
    return scope === "user" ? own : ownProjectFile(path.join(project, ".qwen", "settings.json"), own);
  },
  isPresent: ({ env }) => programOnPath("qwen", env),
  knows: (event) => Object.hasOwn(QWEN_CODE.events, event),
  installedVersion: (env) => versionOf("qwen", env),
  install(text, wanted) {
    const entries = wanted.events.map(({ event }) => {
      const command = shellLine(clientFor(QWEN_CODE.id, event, wanted));
      return { event, handler: { type: "command", command, timeout: TIMEOUT_SECONDS } };
    });
    return installHooks(text, { file: wanted.file, entries, isOurs: wanted.isOurs });
  },
  remove: removeHooks,
  eventsIn: eventsInSettings,
  profilesIn: profilesInSettings,
  isDisabled: hooksDisabled,
  companions: () => [],
};
