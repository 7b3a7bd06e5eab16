import path from "node:path";
import { clientFor } from "../client-arguments.ts";
import { type Installer, usualParts } from "../installer.ts";
import { shellLine, shellLineIfThere } from "../own-handlers.ts";
import { COPILOT_CLI, OWN_EVENTS } from "./declaration.ts";
import { copilotFolder, HOOKS_FILE } from "./folder.ts";
import { ownEventsIn, ownFileWith, ownProfilesIn, withoutOwn } from "./own-file.ts";

const TIMEOUT_SECONDS = 5;

export const copilotInstaller: Installer = {
  ...usualParts(COPILOT_CLI),
  settingsFile(scope, { env, userHome, project }) {
    const folder = scope === "user" ? copilotFolder(env, userHome) : path.join(project, ".github");
    return path.join(folder, HOOKS_FILE);
  },
  // Each event has two names, and a hook for both would be called twice.
  knows: (event) => Object.hasOwn(OWN_EVENTS, event),
  install(text, wanted) {
    const entries = wanted.events.map(({ event, guarded }) => {
      const client = clientFor(COPILOT_CLI.id, event, wanted);
      // Copilot CLI denies every call and every permission when the program of a hook is missing. Only calls of a person's
      // own installation are to stay denied then, and a colleague without the program is not to be locked out.
      const isDeniedWithout = guarded && wanted.scope !== "project";
      const bash = isDeniedWithout ? shellLine(client) : shellLineIfThere(client);
      return { event, handler: { type: "command", bash, timeoutSec: TIMEOUT_SECONDS } };
    });
    return ownFileWith(text, entries, wanted.isOurs);
  },
  remove: withoutOwn,
  eventsIn: ownEventsIn,
  profilesIn: ownProfilesIn,
};
