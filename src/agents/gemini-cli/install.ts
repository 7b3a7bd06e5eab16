import path from "node:path";
import { clientFor } from "../client-arguments.ts";
import { GROUPED, installHooks } from "../grouped-hooks.ts";
import { type Installer, ownProjectFile, usualParts } from "../installer.ts";
import { shellLine } from "../own-handlers.ts";
import { GEMINI_CLI } from "./declaration.ts";
import { geminiFolder } from "./folder.ts";

const TIMEOUT_MS = 5_000;
const EXTENSION = "hookwright";

/** Without it Gemini CLI does not load the extension. Its version says nothing about ours, so an update leaves it alone. */
const MANIFEST = `${JSON.stringify(
  { name: EXTENSION, version: "1.0.0", description: "Runs the policies of Hookwright on every step of Gemini CLI." },
  undefined,
  2,
)}\n`;

export const geminiInstaller: Installer = {
  ...usualParts(GEMINI_CLI),
  ...GROUPED,
  settingsFile(scope, { env, userHome, project }) {
    const own = geminiFolder(env, userHome);
    if (scope === "user") return path.join(own, "extensions", EXTENSION, "hooks", "hooks.json");
    return ownProjectFile(path.join(project, ".gemini", "settings.json"), path.join(own, "settings.json"));
  },
  install(text, wanted) {
    const entries = wanted.events.map(({ event, guarded }) => {
      const line = shellLine(clientFor(GEMINI_CLI.id, event, wanted));
      // A missing program exits with 127, which Gemini CLI takes for a denial: every prompt would be refused, and every stop
      // held for ever. So only calls of a person's own installation stay denied then.
      const isDeniedWithout = guarded && wanted.scope !== "project";
      const command = isDeniedWithout ? line : `${line} || exit 1`;
      return { event, handler: { type: "command", name: EXTENSION, command, timeout: TIMEOUT_MS } };
    });
    return installHooks(text, { file: wanted.file, entries, isOurs: wanted.isOurs });
  },
  companions(file) {
    const extension = path.dirname(path.dirname(file));
    const isOwn = path.basename(file) === "hooks.json" && path.basename(extension) === EXTENSION;
    return isOwn ? [{ file: path.join(extension, "gemini-extension.json"), text: MANIFEST }] : [];
  },
};
