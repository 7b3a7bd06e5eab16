import type { Command, Word } from "../../shell/command.ts";
import { type Effect, effect, type Family } from "../effect.ts";
import { named, ofCargo } from "../tool.ts";

/** An address, where a package name is expected. */
const ADDRESS = /^(?:https?:|git\+|git:|ssh:|git@|github:|gitlab:|bitbucket:|gist:|file\+https?:)/;
/** What npm takes as a repository of a host that anyone can write to. */
const SHORTHAND = /^[A-Za-z0-9][\w.-]*\/[\w.-]+(?:#\S+)?$/;

/** Package runners that are given an address instead of a name. */
export const RUNNERS: Readonly<Record<string, Family>> = {
  npx: (command) => npmLike(command, command.argv.slice(1)),
  bunx: (command) => npmLike(command, command.argv.slice(1)),
  pnpx: (command) => npmLike(command, command.argv.slice(1)),
  npm: (command) => [...after(command, ["exec", "x"], npmLike), ...after(command, INSTALL, builds)],
  pnpm: (command) => after(command, ["dlx", "exec"], npmLike),
  yarn: (command) => after(command, ["dlx"], npmLike),
  bun: (command) => after(command, ["x", "run"], addressed),
  uvx: (command) => addressed(command, command.argv.slice(1)),
  uv: (command) => [...after(command, ["run", "tool"], addressed), ...after(command, ["pip", "add"], builds)],
  cargo: ofCargo((command) => after(command, ["install"], addressed)),
  "ansible-pull": (command) => addressed(command, command.argv.slice(1)),
  brew: (command) => after(command, ["install", "reinstall"], addressed),
  gem: (command) => after(command, ["specific_install", "git_install"], addressed),
  ...named("pip pip3", (command) => after(command, ["install", "wheel"], builds)),
  ...named("python python3", (command) =>
    command.args[0] === "-m" && /^pip3?$/.test(command.args[1] ?? "")
      ? after({ ...command, argv: command.argv.slice(2) }, ["install", "wheel"], builds).map((one) => ({
          ...one,
          by: command,
        }))
      : [],
  ),
  pipx: (command) => [...after(command, ["run"], addressed), ...after(command, ["install"], builds)],
  go: (command) => after(command, ["run"], modules),
  deno: (command) => after(command, ["run", "eval", "install", "x", "test", "serve"], scripted),
};

/** A source archive from an address runs its own build; a wheel, and what a known host keeps, does not surprise. */
const ARCHIVE =
  /^https?:\/\/(?!(?:[\w.-]+\.)?(?:github|gitlab|pythonhosted|pypi|pytorch)\.(?:com|org)\/)\S+\.(?:tar\.gz|tgz|zip|tar\.bz2)$/;

/** A repository: whatever its default branch holds now. */
const REPOSITORY = /^(?:[\w.[\]-]+\s*@\s*)?git\+(?:https?|ssh|git):/;
const INSTALL: readonly string[] = ["install", "i", "add"];

/** `go run example.com/x/y@latest`: what is there now, unless it is of Go itself. */
function modules(command: Command, words: readonly Word[]): readonly Effect[] {
  const first = words.find(({ text }) => !text.startsWith("-"));
  const foreign = first && /^(?!(?:[\w-]+\.)?golang\.org\/)[\w-]+\.[\w.-]+\/\S+@/.test(first.text);
  return foreign ? [runs(command, first.text)] : [];
}

function builds(command: Command, words: readonly Word[]): readonly Effect[] {
  if (words.some(({ text }) => text === "--dry-run")) return [];
  const found = words.find(({ text }) => ARCHIVE.test(text) || REPOSITORY.test(text));
  return found ? [runs(command, found.text)] : [];
}

function after(
  command: Command,
  words: readonly string[],
  look: (command: Command, rest: readonly Word[]) => readonly Effect[],
): readonly Effect[] {
  const [, first, ...rest] = command.argv;
  return first && words.includes(first.text) ? look(command, rest) : [];
}

function npmLike(command: Command, words: readonly Word[]): readonly Effect[] {
  const first = words.find((word) => !word.text.startsWith("-"));
  if (first && SHORTHAND.test(first.text)) return [runs(command, first.text)];
  return addressed(command, words.slice(0, first ? words.indexOf(first) + 1 : undefined));
}

const DENO_VALUES = /^(?:-c|--(?:config|import-map|lock|cert|location|seed|env-file|name|root)|-n)$/;

/** The first word that is no option is the script, and those behind it are its own. */
function scripted(command: Command, words: readonly Word[]): readonly Effect[] {
  const at = words.findIndex(
    ({ text }, index) => !text.startsWith("-") && !DENO_VALUES.test(words[index - 1]?.text ?? ""),
  );
  return addressed(command, at < 0 ? words : words.slice(0, at + 1));
}

function addressed(command: Command, words: readonly Word[]): readonly Effect[] {
  const found = words.map((word) => word.text.replace(/^--?[\w-]+=/, "")).find((text) => ADDRESS.test(text));
  return found === undefined ? [] : [runs(command, found)];
}

function runs(command: Command, target: string): Effect {
  return effect("remote-code", command, `runs code from ${target}`, {
    target,
    instead: "use a published package by its name and version",
  });
}
