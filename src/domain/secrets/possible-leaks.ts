import path from "node:path";
import { type EventOf, isObject, type Json } from "../../core/event.ts";
import type { FileInfo } from "../../core/ports.ts";
import { findSecrets, type Secret } from "../../core/secrets/find.ts";
import { shellOf } from "../../effects/shell-of-event.ts";
import { maskText } from "../../state/masking.ts";
import { commitsOf, type GitAddOrCommit } from "./commits.ts";
import { lineLeaks } from "./line-leaks.ts";
import { printedFiles } from "./printed-files.ts";
import { holdsSecret, type SecretFileKind, secretFileOf } from "./secret-files.ts";

/**
 * A possible leak of a secret. For `written` and `commits`, git has to be asked whether it is a real one. `path` is for
 * messages: a secret in it is masked.
 */
export type Leak =
  | { readonly how: "read"; readonly path: string; readonly kind: SecretFileKind }
  | { readonly how: "written"; readonly file: string; readonly path: string; readonly what: string }
  | { readonly how: "printed"; readonly what: string }
  | { readonly how: "posted"; readonly what: string; readonly to: string }
  | { readonly how: "committed"; readonly path: string; readonly what: string }
  | { readonly how: "commits"; readonly commit: GitAddOrCommit };

/** The access to the outside world that is needed before git is asked. */
export interface LeakProbes {
  readonly userHome: string;
  info(path: string): FileInfo | undefined;
  realPath(path: string): string;
  text<T>(path: string, about: string, digest: (text: string) => T): T | undefined;
}

type Before = EventOf<"tool.before">;

export function possibleLeaks(event: Before, looks: LeakProbes): readonly Leak[] {
  switch (event.tool.kind) {
    case "edit":
      return leaksOfEdit(event);
    case "read":
      return readPath(event, looks).flatMap((file) => leaksOfRead(file, looks));
    case "shell":
      return leaksOfLine(event, looks);
    default:
      return [];
  }
}

function readPath(event: Before, looks: LeakProbes): readonly string[] {
  const given = event.tool.input.file_path;
  return typeof given === "string" ? [path.resolve(event.cwd, given.replace(/^~(?=\/)/, looks.userHome))] : [];
}

/** Checks the path as named and, for a link, its target. */
function leaksOfRead(named: string, looks: LeakProbes): readonly Leak[] {
  const kind = secretKindOf(named, looks) ?? secretKindOf(looks.realPath(named), looks);
  return kind ? [{ how: "read", path: maskText(named), kind }] : [];
}

export function secretKindOf(file: string, looks: LeakProbes): SecretFileKind | undefined {
  const found = secretFileOf(file);
  if (!found || (found.dependsOnContent && looks.text(file, "holds-secret", holdsSecret) !== true)) return undefined;
  return found.kind;
}

function leaksOfEdit(event: Before): readonly Leak[] {
  return editsOf(event).flatMap(([file, edit]): readonly Leak[] => {
    const secrets = findSecrets(textsIn(edit, false).join("\n"));
    if (secrets.length === 0) return [];
    const before = textsIn(edit, true).join("\n");
    // A secret that the old text already contains is not added by this edit.
    const [first] = secrets.filter(({ value }) => !before.includes(value));
    return first ? [{ how: "written", file, path: maskText(file), what: first.name }] : [];
  });
}

/** What is written into which file. A call that edits several names each of them beside its texts. */
function editsOf({ tool: { input }, cwd, writes }: Before): readonly (readonly [file: string, edit: Json])[] {
  const several = Array.isArray(input.edits) ? input.edits : [];
  const named = several.flatMap((edit: Json) =>
    isObject(edit) && typeof edit.file_path === "string" ? [[path.resolve(cwd, edit.file_path), edit] as const] : [],
  );
  const [file] = writes;
  return named.length > 0 || file === undefined ? named : [[file, input]];
}

/** The texts that an edit removes (`isOld`) or adds. */
function textsIn(value: Json | undefined, isOld: boolean, key = ""): readonly string[] {
  if (typeof value === "string") return /^old/i.test(key) === isOld && !/path$|^cell_id$/i.test(key) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one: Json) => textsIn(one, isOld, key));
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, isOld, name));
}

function leaksOfLine(event: Before, looks: LeakProbes): readonly Leak[] {
  const shell = shellOf(event, looks.userHome);
  const isFolder = (place: string): boolean => looks.info(place)?.kind === "directory";
  return [
    ...lineLeaks(shell, event.cwd).map((leak) => toLeak(leak, leak.secret)),
    ...commitsOf(shell, event.cwd, isFolder).flatMap((commit) => leaksOfCommit(commit, looks)),
    ...printedFiles(shell, event.cwd).flatMap((file) => leaksOfRead(file, looks)),
  ];
}

function toLeak(leak: ReturnType<typeof lineLeaks>[number], { name: what }: Secret): Leak {
  if (leak.how === "written") return { how: "written", file: leak.path, path: maskText(leak.path), what };
  if (leak.how === "posted") return { how: "posted", what, to: leak.to };
  return leak.how === "committed" ? { how: "committed", path: "The message", what } : { how: "printed", what };
}

function leaksOfCommit(commit: GitAddOrCommit, looks: LeakProbes): readonly Leak[] {
  const named = commit.paths.flatMap((file): Leak[] => {
    const what = secretKindOf(file, looks);
    return what ? [{ how: "committed", path: maskText(file), what }] : [];
  });
  return commit.asks ? [...named, { how: "commits", commit }] : named;
}
