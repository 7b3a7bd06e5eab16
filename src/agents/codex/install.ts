import path from "node:path";
import { clientFor } from "../client-arguments.ts";
import { GROUPED, installHooks, isBlank } from "../grouped-hooks.ts";
import { type Installer, usualParts } from "../installer.ts";
import { JsonSyntaxError, parseJson } from "../json-parser.ts";
import { shellLine } from "../own-handlers.ts";
import { CODEX } from "./declaration.ts";
import { codexHome, codexTrust } from "./trust.ts";

const TIMEOUT_SECONDS = 5;
/** Codex gives this event no longer. */
const SESSION_END_SECONDS = 3;

export const codexInstaller: Installer = {
  ...usualParts(CODEX),
  ...GROUPED,
  settingsFile(scope, { env, userHome, project }) {
    const folder = scope === "user" ? codexHome({ env, userHome }) : path.join(project, ".codex");
    return path.join(folder, "hooks.json");
  },
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
