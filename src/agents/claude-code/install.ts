import path from "node:path";
import { WAIT } from "../../core/settings/approvals.ts";
import { clientFor } from "../client-arguments.ts";
import { GROUPED, type HookEntry, hooksDisabled, installHooks } from "../grouped-hooks.ts";
import { INSTALL_SCOPES, type Installer, ownProjectFile, usualParts, type WantedHooks } from "../installer.ts";
import type { JsonValue } from "../json-edit.ts";
import { knowsEvent, knowsOnFailure } from "./client-version.ts";
import { CLAUDE_CODE } from "./declaration.ts";
import { isClaudeEvent } from "./events.ts";

const USUAL = { timeoutSeconds: 5, args: [] };
/** The exiting agent waits no longer than this; the client gets a shorter deadline. */
const SESSION_END = { timeoutSeconds: 1.5, args: ["--deadline-ms", "1200"] };
/** A person may answer, so the daemon may take this long. */
const WAITING = { timeoutSeconds: WAIT.timeoutSeconds, args: ["--wait-ms", String(WAIT.ms)] };
/** A hook for this event would have to create worktrees instead of git. */
const NEVER = "WorktreeCreate";

export function hookEntriesFor(wanted: Omit<WantedHooks, "file" | "isOurs">, failsClosed = true): HookEntry[] {
  return wanted.events.map(({ event, guarded, waits }) => {
    const timing = event === "SessionEnd" ? SESSION_END : waits ? WAITING : USUAL;
    const { command, args } = clientFor("claude-code", event, wanted, ["--reply", "json"]);
    const handler: Record<string, JsonValue> = {
      type: "command",
      command,
      args: [...args, ...timing.args],
      timeout: timing.timeoutSeconds,
    };
    // In the scope `project` a hook fails open: a colleague without hookwright on the PATH must not be locked out.
    if (guarded && failsClosed && wanted.scope !== "project") handler.onFailure = "block";
    return { event, handler };
  });
}

export const claudeCodeInstaller: Installer = {
  ...usualParts(CLAUDE_CODE),
  ...GROUPED,
  scopes: INSTALL_SCOPES,
  settingsFile(scope, { env, userHome, cwd, project }) {
    const userFile = path.resolve(cwd, env.CLAUDE_CONFIG_DIR || path.join(userHome, ".claude"), "settings.json");
    if (scope === "user") return userFile;
    const folder = path.join(project, ".claude");
    if (scope === "local") return path.join(folder, "settings.local.json");
    return ownProjectFile(path.join(folder, "settings.json"), userFile);
  },
  knows: (event, version) => event !== NEVER && isClaudeEvent(event) && knowsEvent(event, version),
  install(text, wanted, version) {
    const entries = hookEntriesFor(wanted, knowsOnFailure(version));
    return installHooks(text, { file: wanted.file, entries, isOurs: wanted.isOurs });
  },
  isDisabled: hooksDisabled,
};
