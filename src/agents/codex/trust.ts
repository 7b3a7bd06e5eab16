import { realpathSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { isObject, type Json, type JsonObject } from "../../core/event.ts";
import type { HookTrust, TrustEntry } from "../hook-trust.ts";
import type { InstallPlace } from "../installer.ts";
import { commandWords, type IsOwnHandler } from "../own-handlers.ts";
import { withAppServer } from "./app-server.ts";

/** The folder of a person's settings. */
export function codexHome({ env, userHome }: Pick<InstallPlace, "env" | "userHome">): string {
  return env.CODEX_HOME || path.join(userHome || os.homedir(), ".codex");
}

export const codexTrust: HookTrust = {
  file: (place) => path.join(codexHome(place), "config.toml"),
  async entries(hooksFile, place, isOurs) {
    const { data } = await withAppServer(place, (ask) => ask("hooks/list", { cwds: [place.project] }));
    const lists = Array.isArray(data) ? data : [];
    const hooks = lists.flatMap((list: Json) => (isObject(list) && Array.isArray(list.hooks) ? list.hooks : []));
    return hooks.flatMap((hook: Json) => (isObject(hook) ? entryOf(hook, hooksFile, isOurs) : []));
  },
  async record(entries, place) {
    const value: JsonObject = Object.fromEntries(entries.map(({ key, hash }) => [key, { trusted_hash: hash }]));
    const edits = [{ keyPath: "hooks.state", value, mergeStrategy: "upsert" }];
    await withAppServer(place, (ask) => ask("config/batchWrite", { edits, reloadUserConfig: true }));
  },
  forget: withoutState,
};

/** Only what stands in this file and starts our client: a person's trust in us says nothing of other hooks. */
function entryOf(hook: JsonObject, hooksFile: string, isOurs: IsOwnHandler): TrustEntry[] {
  const { key, currentHash, eventName, sourcePath, trustStatus } = hook;
  const words = commandWords(hook);
  if (words === undefined || !isOurs(words)) return [];
  if (typeof key !== "string" || typeof currentHash !== "string" || typeof sourcePath !== "string") return [];
  if (realpathSync(sourcePath) !== realpathSync(hooksFile)) return [];
  return [{ key, event: String(eventName), hash: currentHash, isTrusted: trustStatus === "trusted" }];
}

const STATE = "[hooks.state]";

/**
 * A table of `hooks.state` for each key, as Codex writes it: an empty line, the header, and its values. The table around them
 * is removed when it holds nothing any more.
 */
function withoutState(text: string, keys: readonly string[]): string {
  const headers = new Set(keys.flatMap((key) => [`[hooks.state.${JSON.stringify(key)}]`, `[hooks.state.'${key}']`]));
  const lines = withoutTables(text.split("\n"), (header) => headers.has(header));
  const isEmpty = !lines.some((line) => line.startsWith("[hooks.state.")) && !hasValues(lines, STATE);
  return (isEmpty ? withoutTables(lines, (header) => header === STATE) : lines).join("\n");
}

function withoutTables(lines: readonly string[], isUnwanted: (header: string) => boolean): string[] {
  const kept: string[] = [];
  let isInside = false;
  for (const line of lines) {
    const text = line.trim();
    if (text.startsWith("[")) {
      isInside = isUnwanted(text);
      if (isInside && kept.at(-1)?.trim() === "") kept.pop();
    } else if (isInside && (text === "" || text.startsWith("#"))) {
      // What follows an empty line or a comment belongs to what comes next.
      isInside = false;
    }
    if (!isInside) kept.push(line);
  }
  return kept;
}

function hasValues(lines: readonly string[], header: string): boolean {
  const at = lines.findIndex((line) => line.trim() === header);
  return at >= 0 && (lines[at + 1] ?? "").trim() !== "" && !lines[at + 1]?.startsWith("[");
}
