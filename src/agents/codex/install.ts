import path from "node:path";
import { clientFor } from "../client-arguments.ts";
import { eventsInSettings, installHooks, isBlank, profilesInSettings, removeHooks } from "../grouped-hooks.ts";
import type { Installer } from "../installer.ts";
import { JsonSyntaxError, parseJson } from "../json-parser.ts";
import { shellLine } from "../own-handlers.ts";
import { programOnPath } from "../program-on-path.ts";
import { versionOf } from "../version-of.ts";
import { CODEX } from "./declaration.ts";
import { codexHome, codexTrust } from "./trust.ts";

const TIMEOUT_SECONDS = 5;
/** Codex gives this event no longer. */
const SESSION_END_SECONDS = 3;

export const codexInstaller: Installer = {
  scopes: ["user", "project"],
  settingsFile(scope, { env, userHome, project }) {
    const folder = scope === "user" ? codexHome({ env, userHome }) : path.join(project, ".codex");
    return path.join(folder, "hooks.json");
  },
  isPresent: ({ env }) => programOnPath("codex", env),
  knows: (event) => Object.hasOwn(CODEX.events, event),
  installedVersion: (env) => versionOf("codex", env),
  install(text, wanted) {
    const entries = wanted.events.map(({ event }) => ({
      event,
      handler: {
        type: "command",
        command: shellLine(clientFor(CODEX.id, event, wanted)),
        timeout: event === "SessionEnd" ? SESSION_END_SECONDS : TIMEOUT_SECONDS,
      },
    }));
    checkTopLevel(text);
    return installHooks(text, { file: wanted.file, entries, isOurs: wanted.isOurs });
  },
  remove: removeHooks,
  eventsIn: eventsInSettings,
  profilesIn: profilesInSettings,
  isDisabled: () => false,
  companions: () => [],
  trust: codexTrust,
};

/** Codex rejects the whole file for any other key there, and then runs none of its hooks. */
const TOP_LEVEL = ["description", "hooks"];

function checkTopLevel(text: string | undefined): void {
  if (text === undefined || isBlank(text)) return;
  const { root } = parseJson(text);
  const foreign = root.kind === "object" ? root.members.find(({ key }) => !TOP_LEVEL.includes(key)) : undefined;
  if (!foreign) return;
  const detail = `Codex rejects this file, because it knows no key ${JSON.stringify(foreign.key)} here`;
  throw new JsonSyntaxError(detail, text, foreign.start);
}
