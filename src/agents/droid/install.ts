import path from "node:path";
import { clientFor } from "../client-arguments.ts";
import { eventsInSettings, hooksMember, installHooks, profilesInSettings, removeHooks } from "../grouped-hooks.ts";
import { type Installer, ownProjectFile } from "../installer.ts";
import { shellLine } from "../own-handlers.ts";
import { programOnPath } from "../program-on-path.ts";
import { versionOf } from "../version-of.ts";
import { DROID } from "./declaration.ts";

const TIMEOUT_SECONDS = 5;

export const droidInstaller: Installer = {
  scopes: ["user", "project"],
  settingsFile(scope, { userHome, project }) {
    const own = path.join(userHome, ".factory", "settings.json");
    return scope === "user" ? own : ownProjectFile(path.join(project, ".factory", "settings.json"), own);
  },
  isPresent: ({ env }) => programOnPath("droid", env),
  knows: (event) => Object.hasOwn(DROID.events, event),
  installedVersion: (env) => versionOf("droid", env),
  install(text, wanted) {
    const entries = wanted.events.map(({ event }) => {
      const command = shellLine(clientFor(DROID.id, event, wanted));
      return { event, handler: { type: "command", command, timeout: TIMEOUT_SECONDS } };
    });
    return installHooks(text, { file: wanted.file, entries, isOurs: wanted.isOurs });
  },
  remove: removeHooks,
  eventsIn: eventsInSettings,
  profilesIn: profilesInSettings,
  isDisabled: (text) => hooksMember(text, "hooksDisabled") === true,
  companions: () => [],
};
