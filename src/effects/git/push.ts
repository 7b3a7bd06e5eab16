import type { Word } from "../../shell/command.ts";
import { isGeneratedName } from "../../shell/expand/temporary-names.ts";
import { type OptionSpec, readOptions } from "../../shell/options.ts";
import { type Effect, effect } from "../effect.ts";
import { type GitCommand, type GitFamily, has, isFalse, isOn, pipeBefore } from "./command.ts";

const PUSH: OptionSpec = {
  short: "vqnfud46o:",
  long: "verbose quiet repo: all branches mirror no-mirror delete tags no-tags dry-run no-dry-run porcelain force no-force force-with-lease:: no-force-with-lease force-if-includes no-force-if-includes recurse-submodules: no-recurse-submodules thin no-thin receive-pack: exec: set-upstream progress no-progress prune no-prune verify no-verify follow-tags no-follow-tags signed:: no-signed atomic no-atomic push-option: ipv4 ipv6",
};
const SEND_PACK: OptionSpec = {
  short: "vqnf",
  long: "all dry-run mirror force force-with-lease:: receive-pack: exec: verbose thin atomic no-signed signed:: push-option: remote: stateless-rpc stdin",
};
const GENTLER = "push with a lease, so that no commits of others are replaced";
const KEEP = "keep the remote branch, or ask the people who use it";

export const PUSHES: Readonly<Record<string, GitFamily>> = {
  push: (git) => push(git, PUSH),
  "send-pack": (git) => push(git, SEND_PACK),
  // From git-extras: removes the branch or tag here and on its remote.
  "delete-branch": (git) => extra(git, "deletes branches here and on their remote"),
  "delete-tag": (git) => extra(git, "deletes tags here and on their remote"),
};

interface Refs {
  readonly remote: Word | undefined;
  readonly refs: readonly Word[];
}

function push(git: GitCommand, spec: OptionSpec): readonly Effect[] {
  const { words, settings } = git;
  const options = readOptions(words, spec, true);
  if (isOn(options, words, "n dry-run", "no-dry-run")) return [];
  const [remote, ...refs] = options.operands;
  // A repository that the line itself makes has no history yet.
  if (remote?.known && isGeneratedName(remote.text)) return [];
  const to = { remote, refs: [...refs, ...configuredRefs(settings)] };
  const found: Effect[] = [];
  const say = (why: string, targets: readonly Word[], instead: string) =>
    found.push(loss(git, to, why, targets, instead));

  const deleted = has(options, "d delete") ? refs : [...to.refs.filter(deletes), ...madeToDelete(git, refs)];
  if (deleted.length > 0) say("deletes branches or tags on a remote", deleted, KEEP);
  const mirrored = isOn(options, words, "mirror", "no-mirror") || setMirror(settings, remote);
  if (mirrored) say("makes the remote identical to this repository, and deletes everything else on it", [], GENTLER);
  else if (isOn(options, words, "prune", "no-prune"))
    say("deletes the remote branches that do not exist locally", refs, KEEP);
  const forced = isOn(options, words, "f force", "no-force");
  const replaced = forced ? to.refs.filter((ref) => !deletes(ref)) : to.refs.filter(replaces);
  const everything = forced && to.refs.length === 0 && !mirrored && !has(options, "d delete");
  if (everything || (replaced.length > 0 && !has(options, "d delete")))
    say("replaces the commits of a remote branch", replaced, GENTLER);
  return found;
}

function loss(git: GitCommand, { remote }: Refs, why: string, targets: readonly Word[], instead: string): Effect {
  const doubtful = targets.some((word) => !word.known);
  const target = [remote, ...targets].flatMap((word) => (word ? [word.text] : [])).join(" ");
  return effect("delete-remote-history", git.command, why, {
    target,
    instead,
    ...(doubtful && { certainty: "possible" }),
  });
}

/** `:name`; a colon alone stands for all branches that both sides have. */
function deletes({ text }: Word): boolean {
  return (text.startsWith(":") && text.length > 1) || (text.startsWith("+:") && text.length > 2);
}

function replaces(word: Word): boolean {
  return word.text.startsWith("+") && !deletes(word);
}

function configuredRefs(settings: GitCommand["settings"]): readonly Word[] {
  if (settings.size === 0) return [];
  return [...settings].filter(([key]) => key.startsWith("remote.") && key.endsWith(".push")).map(([, value]) => value);
}

function setMirror(settings: GitCommand["settings"], remote: Word | undefined): boolean {
  for (const [key, value] of settings) {
    if (!key.startsWith("remote.") || !key.endsWith(".mirror")) continue;
    const isMeant = !remote?.known || key === `remote.${remote.text}.mirror`;
    if (isMeant && value.known && !isFalse(value)) return true;
  }
  return false;
}

/** A text that puts a colon before a name, or in place of the remote's. */
const PUTS_COLON: Readonly<Record<string, RegExp>> = {
  sed: /(?:^|[;{]\s*)s([/|#,@!])(?:(?!\1).){0,80}\1:/,
  perl: /\bs([/|#,@!])(?:(?!\1).){0,80}\1:/,
  awk: /\bprintf?\b[ (]*":/,
  gawk: /\bprintf?\b[ (]*":/,
  printf: /^\+?:%s/,
  xargs: /^:\{\}$/,
};

/** Names that come from a list, each made a refspec without a source on the way: `$(git branch -r | sed s/^/:/)`. */
function madeToDelete(git: GitCommand, refs: readonly Word[]): readonly Word[] {
  const unseen = refs.filter(({ known, text }) => !known && !text.startsWith(":"));
  if (unseen.length === 0) return unseen;
  const makers = [...git.command.inner, ...pipeBefore(git.command)];
  const isCreated = makers.some(({ program = "", argv }) => argv.some(({ text }) => PUTS_COLON[program]?.test(text)));
  return isCreated ? unseen : [];
}

function extra(git: GitCommand, why: string): readonly Effect[] {
  if (git.words.length === 0) return [];
  return [loss(git, { remote: undefined, refs: [] }, why, git.words, KEEP)];
}
