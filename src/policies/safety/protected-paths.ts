import type { EventOf } from "../../core/event.ts";
import { type PolicyContext, policy } from "../../core/policy.ts";
import { isAllowedInGitStorage } from "../../domain/loss/line/created-paths.ts";
import {
  containsOwnPlace,
  mentionsGuard,
  type ProtectionContext,
  protectedAsWritten,
  protectedByPattern,
  protectedReason,
} from "../../domain/protected-places.ts";
import { meaningOf, type ToolEntry, toolsOption } from "../../domain/tools/tool-meaning.ts";
import { assumingStartFolder, distinctPlaces, writtenPaths } from "../../effects/files/written-paths.ts";
import { shellOf } from "../../effects/shell-of-event.ts";

/** Programs that remove or move a folder with everything in it. */
const TAKES_FOLDERS = new Set(["rm", "mv", "rmdir", "shred", "unlink"]);
/** The largest number of written paths that are resolved on disk: each may be a link. */
const MOST_WRITTEN = 300;
type Message = "own" | "around" | "git" | "key" | "listed" | "pattern" | "unreadable" | "many";
type Context = PolicyContext<Message, { also: string[]; tools: ToolEntry[] }>;

export default policy({
  id: "safety/protected-paths",
  summary: "Denies edits and shell commands that change the guard itself, git's internal files or private keys.",
  why: "An agent that can edit the settings that start its guard is not guarded, and one wrong write inside .git or a key store cannot be undone.",
  stage: "security",
  filter: { kinds: ["edit", "shell", "other"] },
  options: (z) =>
    z.object({
      also: z
        .array(z.string().min(1))
        .default([])
        .describe("More files or folders to protect, absolute or relative to the project.")
        .meta({ tighter: "union" }),
      tools: toolsOption(z),
    }),
  messages: {
    own: "{path} belongs to the guard of this session (Hookwright or the settings that start it), so tools may not change it. If it has to change, tell the person what to change and why.",
    around:
      "This command deletes or moves {path}, which contains files of the guard of this session (Hookwright or the settings that start it). Use a command that names only the files you want to change.",
    git: "{path} is inside git's own storage, and changing it directly can destroy the history. Use git commands instead.",
    key: "{path} is a private key or a credential store, so tools may not change it. Tell the person what has to change; they do it themselves.",
    listed:
      "{path} is on the configured list of protected paths, so tools may not change it. Ask the person to change it or to remove it from the list.",
    pattern:
      "{pattern} may also match {path}, which is protected, so the command was not run. Write the names of the files that you want, without a pattern or a variable.",
    unreadable:
      "This command mentions a path of the guard and could not be parsed ({why}), so it may change the guard. Write it in a simpler form or in several calls.",
    many: "This command writes to more than {most} paths, too many to check whether each is protected. Write to fewer paths per call.",
  },
  examples: {
    hit: [
      "Write `~/.claude/settings.json`",
      "Edit `.git/config`",
      "`echo {} > ~/.claude/settings.json`",
      "`rm -rf ~/.claude`",
      "`cp *.json ~/.claude/`",
    ],
    pass: ["Write `src/settings.json`", "Edit `.gitignore`", "`cat ~/.claude/settings.json`", "`rm *.log`"],
  },
  on: {
    "tool.before"(event, ctx) {
      const world = worldOf(ctx);
      const { events } = meaningOf(event, ctx.options.tools);
      return events.map((call) => verdictOf(call, ctx, world)).find((verdict) => verdict !== undefined);
    },
  },
});

function verdictOf(event: EventOf<"tool.before">, ctx: Context, world: ProtectionContext) {
  for (const target of event.writes) {
    const reason = protectedReason(target, world);
    if (reason) return ctx.deny(reason, { path: target });
  }
  return event.tool.kind === "shell" ? shellVerdict(event, ctx, world) : undefined;
}

function worldOf(ctx: Context): ProtectionContext {
  const { places, actor, options } = ctx;
  return {
    places,
    project: actor.project,
    also: options.also,
    realPath: (path) => ctx.realPath(path),
    movedPlaces: (places) => ctx.movedPlaces(places),
    exists: (path) => ctx.info(path) !== undefined,
  };
}

function shellVerdict(event: EventOf<"tool.before">, ctx: Context, world: ProtectionContext) {
  const shell = shellOf(event, ctx.places.userHome);
  if (shell.unreadable !== undefined) {
    if (!mentionsGuard(String(event.tool.input.command))) return undefined;
    return ctx.ask("unreadable", { why: shell.unreadable });
  }
  const written = distinctPlaces(writtenPaths({ commands: assumingStartFolder(shell.commands) }, event.cwd));
  const isFolder = (place: string) => ctx.info(ctx.realPath(place))?.kind === "directory";
  for (const [at, { path, inside, pattern, whenFolder, receives, by }] of written.entries()) {
    if (by.program === "git") continue; // Git may change its own storage.
    const isLooked = at < MOST_WRITTEN;
    if (whenFolder !== undefined && isLooked && !isFolder(whenFolder)) continue;
    const target = path ?? inside;
    const takesFolders = TAKES_FOLDERS.has(by.program ?? "") && !(receives && isLooked && isFolder(path ?? ""));
    const reason = target && (isLooked ? protectedReason(target, world) : protectedAsWritten(target, world));
    if (reason === "git" && isAllowedInGitStorage({ path: target, by }, shell, event.cwd, world.exists)) continue;
    // Changing a key's permissions and creating a folder for keys are allowed.
    if (reason && !(reason === "key" && /^(chmod|mkdir)$/.test(by.program ?? "")))
      return ctx.deny(reason, { path: target });
    if (path !== undefined && takesFolders && containsOwnPlace(path, world)) return ctx.deny("around", { path });
    if (pattern === undefined || !isLooked) continue;
    const meant = protectedByPattern({ text: pattern, isGlob: inside !== undefined, takesFolders }, world);
    if (meant !== undefined) return ctx.deny("pattern", { pattern, path: meant });
  }
  return written.length > MOST_WRITTEN ? ctx.ask("many", { most: MOST_WRITTEN }) : undefined;
}
