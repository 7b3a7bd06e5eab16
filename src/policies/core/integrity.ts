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
      "The hook that checks tool calls is no longer registered in {file}. Run `hookwright init` to register it again.",
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
  const { file } = install;
  const settings = ctx.read.json([path.dirname(file), path.basename(file)], asObject) ?? {};
  const problems: NoticeVerdict[] = [];
  if (settings.disableAllHooks === true) problems.push(ctx.notice("disabled", { file }));
  const guarded = JSON.stringify(asObject(settings.hooks ?? null)?.PreToolUse ?? []);
  // The client's path is compared in its JSON form, because the settings are compared as JSON text.
  const client = JSON.stringify(path.join(ctx.places.home, "versions", install.version, "hook")).slice(0, -1);
  if (!guarded.includes(client)) problems.push(ctx.notice("unregistered", { file }));
  return problems;
}

function readInstalls(value: Json): Install[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((entry: Json) => {
    const { agent, scope, file, version, files } = asObject(entry) ?? {};
    if (typeof file !== "string" || typeof version !== "string") return [];
    const hashes = Object.entries(asObject(files ?? null) ?? {}).filter((pair): pair is [string, string] => {
      return typeof pair[1] === "string";
    });
    return [{ agent: String(agent), scope: String(scope), file, version, files: Object.fromEntries(hashes) }];
  });
}

const asObject = (value: Json): JsonObject | undefined => (isObject(value) ? value : undefined);
