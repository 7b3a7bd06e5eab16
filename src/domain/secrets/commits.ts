import { posix } from "node:path";
import { findSecrets } from "../../core/secrets/find.ts";
import { subcommandOf } from "../../shell/launch/subcommand.ts";
import type { Shell } from "../../shell/shell.ts";
import { secretFileOf } from "./secret-files.ts";

/** The files that one git command of a line adds or commits. */
export interface GitAddOrCommit {
  readonly folder: string;
  /** The paths named on the line, absolute. */
  readonly paths: readonly string[];
  /** The arguments of the git query that lists the other files or changes; undefined when none is needed. */
  readonly asks: readonly string[] | undefined;
}

const UNTRACKED = ["ls-files", "--others", "--modified", "--exclude-standard"];
const STAGED = ["diff", "--cached", "-U0", "--no-color", "--no-ext-diff", "--no-textconv"];
const CHANGED = ["diff", "HEAD", "-U0", "--no-color", "--no-ext-diff", "--no-textconv"];

export function commitsOf(shell: Shell, cwd: string, isFolder: (path: string) => boolean): readonly GitAddOrCommit[] {
  return shell.commands.flatMap((command): GitAddOrCommit[] => {
    const sub = command.program === "git" && !command.remote ? subcommandOf(command) : undefined;
    if (sub?.name !== "add" && sub?.name !== "stage" && sub?.name !== "commit") return [];
    const moved = sub.options.get("C")?.at(-1);
    const folder = posix.resolve(cwd, command.cwds?.[0] ?? ".", moved?.known ? moved.text : ".");
    const options = sub.words.filter(({ text }) => /^-./.test(text)).map(({ text }) => text);
    if (sub.name === "commit") {
      const isAll = options.some((text) => text === "--all" || /^-[b-zA-Z]*a/.test(text));
      return [{ folder, paths: [], asks: isAll ? CHANGED : STAGED }];
    }
    if (options.some((text) => text === "-n" || text === "--dry-run")) return [];
    const paths = sub.words
      .filter(({ text, known, glob }) => (known || glob) && !text.startsWith("-"))
      .map(({ text }) => posix.resolve(folder, text));
    const isAll = options.some((text) => /^(?:--all|--update|-[a-zA-Z]*[Au][a-zA-Z]*)$/.test(text));
    const wide = paths.filter((path) => /[*?[:]/.test(path) || isFolder(path));
    const asks = isAll || wide.length > 0 ? [...UNTRACKED, "--", ...(isAll ? ["."] : wide)] : undefined;
    return [{ folder, paths, asks }];
  });
}

/** The files in git's answer that hold a secret, by their name or in their added lines, with the kind of secret. */
export function secretsInAnswer(answer: string, folder: string): readonly (readonly [file: string, what: string])[] {
  if (!answer.startsWith("diff --git ")) {
    return answer.split("\n").flatMap((name) => byName(posix.join(folder, name)));
  }
  return answer.split(/^(?=diff --git )/m).flatMap((part) => {
    const [, name] = /^\+\+\+ b\/(.*)$/m.exec(part) ?? [];
    if (name === undefined) return [];
    const named = byName(posix.join(folder, name));
    if (named.length > 0) return named;
    const added = part.slice(part.indexOf("\n@@")).match(/^\+.*$/gm) ?? [];
    const [secret] = findSecrets(added.map((line) => line.slice(1)).join("\n"));
    return secret ? [[name, secret.name] as const] : [];
  });
}

function byName(path: string): readonly (readonly [string, string])[] {
  const file = secretFileOf(path);
  return file && !file.dependsOnContent ? [[path, file.kind]] : [];
}
