import type { Effect, Family } from "../effect.ts";
import { CHECKOUTS } from "./checkout.ts";
import { asGit, asksForUsage, type GitFamily, readGit } from "./command.ts";
import { HISTORY, REWRITERS } from "./history.ts";
import { PUSHES } from "./push.ts";
import { aliasOf, runsOf } from "./runs.ts";
import { WORK_TREE } from "./work-tree.ts";

const SUBCOMMANDS: ReadonlyMap<string, GitFamily> = new Map([
  ...Object.entries(WORK_TREE),
  ...Object.entries(CHECKOUTS),
  ...Object.entries(HISTORY),
  ...Object.entries(PUSHES),
]);

const git: Family = (command, scene) => {
  const read = readGit(command, scene);
  if (!read || read.name === "help") return [];
  const own = SUBCOMMANDS.get(read.name);
  if (own && asksForUsage(read.words)) return [];
  const effects: readonly Effect[] = own ? own(read) : aliasOf(read);
  const runs = runsOf(read);
  return runs.length === 0 ? effects : [...effects, ...runs];
};

/** The same call under another name of the program. */
function calledBy(name: string | undefined): Family {
  return (command, scene) => git(asGit(command, name), scene).map((one) => ({ ...one, by: command }));
}

/** git, the wrappers that take the same words, and its parts called by their own names. */
export const GIT: Readonly<Record<string, Family>> = {
  git,
  "git.exe": calledBy(undefined),
  hub: calledBy(undefined),
  // Keeps the home folder in a repository of its own, wherever it is called.
  yadm: (command, scene) =>
    calledBy(undefined)({ ...command, cwds: undefined }, scene).map((one) => ({ ...one, by: command })),
  ...Object.fromEntries([...SUBCOMMANDS.keys()].map((name) => [`git-${name}`, calledBy(name)])),
  ...REWRITERS,
};
