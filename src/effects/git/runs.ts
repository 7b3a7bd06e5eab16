import { knownWord } from "../../shell/command.ts";
import { type OptionSpec, readOptions } from "../../shell/options.ts";
import type { Effect } from "../effect.ts";
import { fileText } from "../line/line-text.ts";
import { type GitCommand, quoted, scriptOf, written } from "./command.ts";

/** Settings whose value is a command, by their first and last part. */
const COMMAND_SETTINGS = new Set(
  "browser.cmd core.alternaterefscommand core.askpass core.editor core.fsmonitor core.gitproxy core.pager core.sshcommand credential.helper diff.command diff.external diff.textconv difftool.cmd filter.clean filter.process filter.smudge gpg.program interactive.difffilter man.cmd merge.driver mergetool.cmd remote.receivepack remote.uploadpack sequence.editor submodule.update tar.command trailer.cmd trailer.command uploadpack.packobjectshook".split(
    " ",
  ),
);
/** Variables whose value is a command. */
const COMMAND_VARIABLES =
  "GIT_PAGER PAGER GIT_EDITOR EDITOR VISUAL GIT_SEQUENCE_EDITOR GIT_SSH_COMMAND GIT_SSH GIT_PROXY_COMMAND GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS".split(
    " ",
  );

/** Scripts of the person's that git starts by itself. */
const HOOKS: Readonly<Record<string, string>> = {
  am: "applypatch-msg pre-applypatch post-applypatch",
  checkout: "post-checkout",
  commit: "pre-commit prepare-commit-msg commit-msg post-commit",
  merge: "pre-merge-commit commit-msg post-merge",
  pull: "pre-merge-commit commit-msg post-merge",
  push: "pre-push",
  rebase: "pre-rebase post-rewrite post-checkout",
  switch: "post-checkout",
};
const SKIPPABLE = /^(?:pre-.*|commit-msg)$/;
const OTHER_LANGUAGE = /^#!(?!.*sh\b)/;

interface Runner extends OptionSpec {
  /** Options whose value is a command. */
  readonly runs: string;
}

const UPLOAD: Runner = { long: "upload-pack: exec:", runs: "upload-pack exec" };
const RUNNERS: Readonly<Record<string, Runner>> = {
  archive: { short: "o:lv0", long: "exec: remote: output: format: prefix:", runs: "exec" },
  clone: { short: "u:b:o:c:j:lsqvn", long: "upload-pack: branch: origin: depth: config:", runs: "u upload-pack" },
  difftool: { short: "x:t:gdyY", long: "extcmd: tool: dir-diff", runs: "x extcmd" },
  fetch: UPLOAD,
  "fetch-pack": UPLOAD,
  grep: { short: "O::e:f:A:B:C:m:inlLwvcEFPGzhHorpWq", long: "open-files-in-pager::", runs: "O open-files-in-pager" },
  "ls-remote": UPLOAD,
  pull: UPLOAD,
  push: { short: "o:", long: "receive-pack: exec: repo: push-option:", runs: "receive-pack exec" },
  rebase: { short: "x:s:X:iqvfmnpkrC:S::", long: "exec: onto: strategy: strategy-option:", runs: "x exec" },
};

/** What a call of git starts besides itself. */
export function runsOf(git: GitCommand): readonly Effect[] {
  const told = [...settingTexts(git), ...variableTexts(git), ...optionTexts(git), ...wordTexts(git)];
  const texts = git.settings.has("core.hookspath") ? [...told, ...hookTexts(git)] : told;
  return [...texts.flatMap((text) => inFolder(git, text)), ...plantedBy(git)];
}

/** Effects that an alias must not hide. An alias for a destructive git command is ordinary. */
const PLANTED: ReadonlySet<Effect["kind"]> = new Set([
  "delete-tree",
  "format-device",
  "remote-code",
  "fork-bomb",
  "permission-blast",
  "kill-everything",
  "exfiltrate-secret",
]);

/** `git config alias.st '!…'`: a command that runs later, under a name that does not show what it does. */
function plantedBy(git: GitCommand): readonly Effect[] {
  if (git.name !== "config") return [];
  const { operands } = readOptions(git.words, { short: "f:", long: "file: blob: type: default: comment:" }, true);
  const [key, value] = operands[0]?.text === "set" ? operands.slice(1) : operands;
  if (!key?.known || value === undefined) return [];
  const name = key.text.toLowerCase();
  const text = scriptOf(value).trim();
  const runs = name.startsWith("alias.") ? text.startsWith("!") : isCommand(name);
  return runs ? inFolder(git, text.replace(/^!/, "")).filter(({ kind }) => PLANTED.has(kind)) : [];
}

/** `git name …` where the line itself says what the name stands for. */
export function aliasOf(git: GitCommand): readonly Effect[] {
  const meaning = git.settings.get(`alias.${git.name}`) ?? git.settings.get(`alias.${git.name.toLowerCase()}`);
  if (!meaning?.known) return [];
  const text = meaning.text.trim();
  const rest = written(git.words);
  return inFolder(git, text.startsWith("!") ? `${text.slice(1)} ${rest}` : `git ${settings(git)} ${text} ${rest}`);
}

/** An alias may mean another one, and what it means is done with the same settings. */
function settings(git: GitCommand): string {
  const plain = [...git.settings].filter(([key, value]) => value.known && !isCommand(key));
  return plain.map(([key, value]) => `-c ${quoted(`${key}=${value.text}`)}`).join(" ");
}

function isCommand(key: string): boolean {
  const section = key.slice(0, key.indexOf("."));
  return section === "pager" || COMMAND_SETTINGS.has(`${section}.${key.slice(key.lastIndexOf(".") + 1)}`);
}

function inFolder(git: GitCommand, text: string): readonly Effect[] {
  const [folder, other] = git.folders;
  const place = folder === undefined || other !== undefined ? 'cd "$GIT_PREFIX"' : `cd ${quoted(folder)}`;
  return git.scene.nested(`${place}\n${text}`, git.command);
}

function settingTexts(git: GitCommand): readonly string[] {
  if (git.settings.size === 0) return [];
  return [...git.settings].flatMap(([key, value]) => {
    if (!value.known || !isCommand(key)) return [];
    return [key === "diff.external" ? withChanged(git, value.text) : value.text.replace(/^!/, "")];
  });
}

/** The program that shows differences gets the names of the files that have some, one after the other. */
function withChanged({ name, words }: GitCommand, text: string): string {
  const told = words.findLast((word) => /^--(?:no-)?ext-diff$/.test(word.text))?.text;
  return (told ?? (name === "diff" ? "--ext-diff" : "")) === "--ext-diff" ? `${text} "$changed_file"` : text;
}

/** Hooks that the line itself wrote where it tells git to look for them. */
function hookTexts(git: GitCommand): readonly string[] {
  const folder = git.settings.get("core.hookspath");
  const names = Object.hasOwn(HOOKS, git.name) ? HOOKS[git.name] : undefined;
  if (!folder?.known || names === undefined) return [];
  const isSkipped = git.words.some(({ text }) => text === "--no-verify" || (text === "-n" && git.name === "commit"));
  return names.split(" ").flatMap((name) => {
    if (isSkipped && SKIPPABLE.test(name)) return [];
    const text = fileText(knownWord(`${folder.text}/${name}`), git.command, git.scene) ?? "";
    return text === "" || OTHER_LANGUAGE.test(text) ? [] : [text];
  });
}

function variableTexts(git: GitCommand): readonly string[] {
  if (git.environment.size === 0) return [];
  return COMMAND_VARIABLES.flatMap((name) => {
    const value = git.environment.get(name);
    if (!value?.known) return [];
    return [name === "GIT_EXTERNAL_DIFF" ? withChanged(git, value.text) : value.text];
  });
}

function optionTexts({ name, words }: GitCommand): readonly string[] {
  const remote = words.filter((word) => word.text.startsWith("ext::")).map(({ text }) => text.slice(5));
  const runner = Object.hasOwn(RUNNERS, name) ? RUNNERS[name] : undefined;
  if (!runner) return remote;
  const options = readOptions(words, runner, true);
  const given = runner.runs.split(" ").flatMap((one) => options.given.get(one) ?? []);
  const texts = given.flatMap((word) => (word ? [scriptOf(word)] : []));
  return [...remote, ...(name === "difftool" ? texts.map((text) => `${text} "$changed_file"`) : texts)];
}

function wordTexts({ name, words }: GitCommand): readonly string[] {
  const at = words.findIndex(({ text }) => !text.startsWith("-"));
  const action = words[at]?.text;
  const rest = words.slice(at + 1);
  if (name === "bisect" && action === "run") return [written(rest)];
  if (name !== "submodule" || action !== "foreach") return [];
  const start = rest.findIndex(({ text }) => !text.startsWith("-"));
  const [only = knownWord(""), ...more] = start < 0 ? [] : rest.slice(start);
  const text = more.length === 0 ? scriptOf(only) : written([only, ...more]);
  return [`cd "$toplevel/$sm_path"\n${text}`];
}
