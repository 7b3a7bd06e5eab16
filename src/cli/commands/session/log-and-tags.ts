import fs from "node:fs";
import path from "node:path";
import { HookwrightError } from "../../../core/errors.ts";
import { withTimestamp } from "../../../domain/session/log-entry.ts";
import { SESSIONS_FOLDER } from "../../../domain/session/state.ts";
import { isTag, type TagChange, tagsIn, withTag } from "../../../domain/session/tags.ts";
import { makeFolder } from "../../../system/make-folder.ts";
import { system } from "../../../system/system.ts";
import type { SessionAccess } from "./session-access.ts";
import { sessionUsageError } from "./start-session.ts";

/** Resolves a document that these commands may write: only markdown below these folders, because they pass the gates. */
function documentAt(access: SessionAccess, typed: string | undefined, below: readonly string[]): string {
  const file = path.resolve(access.context.cwd, typed ?? "");
  const real = system.realPath(file);
  const isBelow = below.some((folder) => real.startsWith(`${system.realPath(folder)}/`));
  if (typed !== undefined && isBelow && real.endsWith(".md")) return file;
  throw new HookwrightError("HW_SESSION_INPUT", {
    detail: `\`${typed ?? ""}\` is no markdown document below ${below.join(" or ")}.`,
    hint: "Name one with the ending .md there",
  });
}

const folders = ({ context, project }: SessionAccess): string[] => [...new Set([context.cwd, project])];

/** `[--overwrite] FILE`, with the entry on standard input. */
export async function log(access: SessionAccess, [typed, ...more]: readonly string[]): Promise<number> {
  if (more.length > 0) throw sessionUsageError("log takes one file; the entry comes on standard input");
  const file = documentAt(
    access,
    typed,
    folders(access).map((folder) => path.join(folder, SESSIONS_FOLDER)),
  );
  const text = await access.input();
  const isNew = access.context.options.overwrite === true;
  const entry = isNew ? (withTimestamp(text, access.now) ?? text) : withTimestamp(text, access.now);
  if (text.trim() === "" || entry === undefined) {
    throw new HookwrightError("HW_SESSION_INPUT", {
      detail: text.trim() === "" ? "There is nothing to log." : "A log entry needs a heading.",
      hint: "Give the entry on standard input, with a line `## What was done` first",
    });
  }
  const ended = entry.endsWith("\n") ? entry : `${entry}\n`;
  makeFolder(path.dirname(file));
  if (isNew) replace(file, ended);
  else fs.appendFileSync(file, (fs.existsSync(file) && fs.statSync(file).size > 0 ? "\n" : "") + ended);
  access.context.out(`Logged: ${file}`);
  return 0;
}

function replace(file: string, text: string): void {
  const draft = `${file}.${process.pid}.tmp`;
  fs.writeFileSync(draft, text);
  fs.renameSync(draft, file);
}

/** `add|remove FILE TAG`, `swap FILE OLD NEW`, `find TAG [FOLDER]`. */
export async function tag(access: SessionAccess, [action, ...args]: readonly string[]): Promise<number> {
  if (action === "find") return findTag(access, args);
  const change = changeOf(action, args);
  const file = documentAt(access, args[0], folders(access));
  const text = system.readText(file, 4 * 1024 * 1024);
  if (text === undefined) throw new HookwrightError("HW_READ_FAILED", { file, detail: "it is not there" });
  const inline = access.context.options.inline;
  const line = inline === undefined ? undefined : Number(inline);
  if (line !== undefined && !(Number.isInteger(line) && line > 0))
    throw sessionUsageError("--inline takes a line number");
  const next = withTag(text, change, line);
  if (typeof next === "string") {
    throw new HookwrightError("HW_SESSION_INPUT", {
      detail: `${file}: ${next}.`,
      hint: "Look at its tags with `engine tag find`",
    });
  }
  if (next.document !== text) replace(file, next.document);
  access.context.out(`${action}: ${change.tag}${change.kind === "swap" ? ` → ${change.by}` : ""} in ${file}`);
  return 0;
}

function changeOf(action: string | undefined, [, tag, by, ...more]: readonly string[]): TagChange {
  if (more.length > 0 || tag === undefined || !isTag(tag)) throw sessionUsageError("tags are written as #name");
  if ((action === "add" || action === "remove") && by === undefined) return { kind: action, tag };
  if (action === "swap" && by !== undefined && isTag(by)) return { kind: "swap", tag, by };
  throw sessionUsageError(
    "tag takes `add FILE #tag`, `remove FILE #tag`, `swap FILE #old #new` or `find #tag [FOLDER]`",
  );
}

function findTag(access: SessionAccess, [wanted, where, ...more]: readonly string[]): number {
  if (wanted === undefined || !/^#[\w*-]+$/.test(wanted) || more.length > 0)
    throw sessionUsageError("find takes a tag, such as #needs-review or #needs-*");
  const pattern = new RegExp(`^${wanted.replaceAll("*", "[\\w-]*")}$`);
  const { context } = access;
  const top = path.resolve(context.cwd, where ?? SESSIONS_FOLDER);
  const around = Number(context.options.context ?? 0);
  const onTagsLine = context.options["tags-only"] === true;
  let count = 0;
  for (const file of markdownBelow(top)) {
    const text = system.readText(file, 4 * 1024 * 1024) ?? "";
    for (const found of tagsIn(text)) {
      if (!pattern.test(found.tag) || (onTagsLine && !found.onTagsLine)) continue;
      count++;
      context.out(`${path.relative(context.cwd, file)}:${found.line}: ${found.tag}`);
      if (around > 0)
        context.out(
          text
            .split("\n")
            .slice(Math.max(0, found.line - 1 - around), found.line + around)
            .join("\n"),
        );
    }
  }
  return count > 0 ? 0 : 1;
}

function markdownBelow(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md") && !entry.parentPath.includes("node_modules"))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}
