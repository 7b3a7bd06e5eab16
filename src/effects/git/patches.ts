import { posix } from "node:path";
import type { Command } from "../../shell/command.ts";
import type { Effect, Family, Scene } from "../effect.ts";
import { optionsOf } from "../line/words.ts";
import { isPlainDiff, pipeBefore, readGit } from "./command.ts";
import { losesFiles } from "./losses.ts";

/** Other programs that write what git prints over the work tree. */
export const GIT_PATCHES: Readonly<Record<string, Family>> = { patch, tar, bsdtar: tar };

/** `git diff | patch -R`: the changes that nobody committed go. */
function patch(command: Command, scene: Scene): readonly Effect[] {
  // `patch -R < <(git diff)` reads the same.
  if (command.upstream.length === 0 && command.inner.length === 0) return [];
  const { args } = command;
  if (args.some((arg) => arg === "--dry-run" || arg === "-C" || arg === "--check" || arg?.startsWith("-o"))) return [];
  const reverse = args.some((arg) => /^-[a-zA-Z\d]*R|^--reverse$/.test(arg ?? ""));
  return [...pipeBefore(command), ...command.inner]
    .filter((one) => isPlainDiff(one, reverse))
    .flatMap((one) => lost(one, command, scene, "takes uncommitted changes back"));
}

/** `git archive HEAD | tar x`: the committed version of every file in place of the changed one. */
function tar(command: Command, scene: Scene): readonly Effect[] {
  if (command.upstream.length === 0) return [];
  const { args } = command;
  const unpacks = args.some(
    (arg, at) =>
      /^(?:-[a-zA-Z]*x|--extract$|--get$)/.test(arg ?? "") || (at === 0 && /^[a-z]*x[a-z]*$/.test(arg ?? "")),
  );
  const keeps = args.some((arg) => /^(?:-[a-zA-Z]*[kO]|--keep-\S+|--skip-old-files|--to-\S+)/.test(arg ?? ""));
  if (!unpacks || keeps || command.cwd === undefined) return [];
  const here = posix.resolve(scene.cwd, command.cwd);
  const folders = ["C", "directory"].flatMap((name) => optionsOf(command).given.get(name) ?? []);
  const named = args[args.findIndex((arg) => arg === "-C" || arg === "--directory") + 1];
  const to = folders.at(-1)?.text ?? (args.includes("-C") || args.includes("--directory") ? named : ".");
  return pipeBefore(command)
    .filter(({ program, args: [name] }) => program === "git" && name === "archive")
    .filter((one) => !one.args.some((arg) => arg?.startsWith("--remote") || arg?.startsWith("--prefix")))
    .filter((one) => one.cwd !== undefined && posix.resolve(scene.cwd, one.cwd) === posix.resolve(here, to ?? ""))
    .flatMap((one) => lost(one, command, scene, "writes the committed version over changed files"));
}

function lost(git: Command, command: Command, scene: Scene, why: string): readonly Effect[] {
  const read = readGit(git, scene);
  if (!read) return [];
  const effects = losesFiles(read, { why, loses: ["changes"] });
  return effects.map((one) => ({ ...one, by: command }));
}
