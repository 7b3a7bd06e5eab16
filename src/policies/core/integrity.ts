import path from "node:path";
import type { Json, JsonObject } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import { type PolicyContext, policy } from "../../core/policy.ts";
import type { NoticeVerdict } from "../../core/verdict.ts";

interface Install {
  readonly agent: string;
  readonly scope: string;
  readonly file: string;
  readonly version: string;
  readonly files: Readonly<Record<string, string>>;
  /** The hash of the file as it was written. */
  readonly written: string;
  /** The agent's events that a guard has to see. */
  readonly guarded: readonly string[];
}

export default policy({
  id: "core/integrity",
  summary: "Checks at the start of a session that the hooks are still registered and their files unchanged.",
  why: "Every program that runs as the same user can edit the settings or the client; the person has to learn of it.",
  stage: "recorder",
  messages: {
    changed:
      "{file} was changed or removed since it was installed. Run `hookwright init` to restore it, and find out what changed it.",
    unregistered:
      "The hook that checks tool calls is no longer registered in {file}. Run `{init}` to register it again.",
    disabled:
      "{file} switches all hooks off (disableAllHooks), so nothing is guarded where it applies. Remove that setting to switch the guard on.",
  },
  examples: {
    hit: ["SessionStart after engine.cjs was edited", "SessionStart after PreToolUse was taken out of the settings"],
    pass: ["SessionStart with everything as installed", "SessionStart when nothing was installed"],
  },
  on: {
    "session.start"(event, ctx) {
      const installs = ctx.read.json([ctx.places.home, "installs.json"], readInstalls) ?? [];
      const isHere = (install: Install): boolean =>
        install.scope === "user" || (install.scope === "local" && install.file.startsWith(`${ctx.actor.project}/`));
      const own = installs.filter((install) => install.agent === event.agent && isHere(install));
      return own.flatMap((install) => [...changedFiles(install, ctx), ...settingsProblems(install, ctx)]);
    },
  },
});

type Context = PolicyContext<"changed" | "unregistered" | "disabled">;

function changedFiles(install: Install, ctx: Context): NoticeVerdict[] {
  const folder = path.join(ctx.places.home, "versions", install.version);
  return Object.entries(install.files)
    .map(([name, sha256]) => ({ file: path.join(folder, path.basename(name)), sha256 }))
    .filter(({ file, sha256 }) => {
      const found = ctx.read.sha256(file);
      // A missing code cache is no problem: it is created again from the bundle.
      return found !== sha256 && !(found === undefined && file.endsWith(".cache"));
    })
    .map(({ file }) => ctx.notice("changed", { file }));
}

function settingsProblems(install: Install, ctx: Context): NoticeVerdict[] {
  const { file, written } = install;
  // A plugin is ours as a whole, and a program: no part of it may be another.
  if (isPlugin(file)) return ctx.read.sha256(file) === written ? [] : [ctx.notice("changed", { file })];
  const settings = ctx.read.json([path.dirname(file), path.basename(file)], asObject) ?? {};
  const problems: NoticeVerdict[] = [];
  if (settings.disableAllHooks === true) problems.push(ctx.notice("disabled", { file }));
  const hooks = asObject(settings.hooks ?? null);
  const client = path.join(ctx.places.home, "versions", install.version, "hook");
  if (!install.guarded.every((event) => names(hooks?.[event] ?? [], client))) {
    const init = install.agent === "claude-code" ? "hookwright init" : `hookwright init --agent ${install.agent}`;
    problems.push(ctx.notice("unregistered", { file, init }));
  }
  return problems;
}

const isPlugin = (file: string): boolean => file.endsWith(".js");

/** Do the hooks start the client, as a program of its own or in a line for a shell? */
function names(hooks: Json, client: string): boolean {
  const text = JSON.stringify(hooks);
  // The path is compared in its JSON form, because the settings are compared as JSON text.
  const inJson = (word: string): string => JSON.stringify(word).slice(1, -1);
  const words = [`"${inJson(client)}`, ` ${inJson(client)}`, `'${inJson(client.replaceAll("'", "'\\''"))}`];
  return words.some((word) => text.includes(word));
}

function readInstalls(value: Json): Install[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((entry: Json) => {
    const { agent, scope, file, version, files, guarded, writtenSha256 } = asObject(entry) ?? {};
    if (typeof file !== "string" || typeof version !== "string") return [];
    const hashes = Object.entries(asObject(files ?? null) ?? {}).filter((pair): pair is [string, string] => {
      return typeof pair[1] === "string";
    });
    const events = Array.isArray(guarded) ? guarded.map(String) : ["PreToolUse"];
    const [by, where] = [String(agent), String(scope)];
    const written = String(writtenSha256);
    return [{ agent: by, scope: where, file, version, files: Object.fromEntries(hashes), guarded: events, written }];
  });
}

const asObject = (value: Json): JsonObject | undefined => (isObject(value) ? value : undefined);
