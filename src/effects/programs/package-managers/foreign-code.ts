import type { Command, Word } from "../../../shell/command.ts";
import { type Effect, effect, type Family } from "../../effect.ts";

/** An address, where a package name is expected. */
const ADDRESS = /^(?:https?:|git\+|git:|ssh:|git@|github:|gitlab:|bitbucket:|gist:|file\+https?:)/;
/** What npm takes as a repository of a host that anyone can write to. */
const SHORTHAND = /^[A-Za-z0-9][\w.-]*\/[\w.-]+(?:#\S+)?$/;

/** A source archive from an address runs its own build; a wheel, and what a known host keeps, does not surprise. */
const ARCHIVE =
  /^https?:\/\/(?!(?:[\w.-]+\.)?(?:github|gitlab|pythonhosted|pypi|pytorch)\.(?:com|org)\/)\S+\.(?:tar\.gz|tgz|zip|tar\.bz2)$/;

/** A repository: whatever its default branch holds now. */
const REPOSITORY = /^(?:[\w.[\]-]+\s*@\s*)?git\+(?:https?|ssh|git):/;

/** `go run example.com/x/y@latest`: what is there now, unless it is of Go itself. */
export function goModule(command: Command, words: readonly Word[]): readonly Effect[] {
  const first = words.find(({ text }) => !text.startsWith("-"));
  const foreign = first && /^(?!(?:[\w-]+\.)?golang\.org\/)[\w-]+\.[\w.-]+\/\S+@/.test(first.text);
  return foreign ? [runs(command, first.text)] : [];
}

export function builtSource(command: Command, words: readonly Word[]): readonly Effect[] {
  if (words.some(({ text }) => text === "--dry-run")) return [];
  const found = words.find(({ text }) => ARCHIVE.test(text) || REPOSITORY.test(text));
  return found ? [runs(command, found.text)] : [];
}

type WordCheck = (command: Command, words: readonly Word[]) => readonly Effect[];

/** Looks at what follows one of these words; at all words where there are none. */
export const behind =
  (words: string, check: WordCheck): Family =>
  (command) => {
    if (words === "") return check(command, command.argv.slice(1));
    const [, first, ...rest] = command.argv;
    return first && words.split(" ").includes(first.text) ? check(command, rest) : [];
  };

export function npmPackage(command: Command, words: readonly Word[]): readonly Effect[] {
  const first = words.find((word) => !word.text.startsWith("-"));
  if (first && SHORTHAND.test(first.text)) return [runs(command, first.text)];
  return addressedCode(command, words.slice(0, first ? words.indexOf(first) + 1 : undefined));
}

const DENO_VALUES = /^(?:-c|--(?:config|import-map|lock|cert|location|seed|env-file|name|root)|-n)$/;

/** The first word that is no option is the script, and those behind it are its own. */
export function addressedScript(command: Command, words: readonly Word[]): readonly Effect[] {
  const at = words.findIndex(
    ({ text }, index) => !text.startsWith("-") && !DENO_VALUES.test(words[index - 1]?.text ?? ""),
  );
  return addressedCode(command, at < 0 ? words : words.slice(0, at + 1));
}

export function addressedCode(command: Command, words: readonly Word[]): readonly Effect[] {
  const found = words.map((word) => word.text.replace(/^--?[\w-]+=/, "")).find((text) => ADDRESS.test(text));
  return found === undefined ? [] : [runs(command, found)];
}

function runs(command: Command, target: string): Effect {
  return effect("remote-code", command, `runs code from ${target}`, {
    target,
    instead: "use a published package by its name and version",
  });
}
