import { isFed } from "../../effects/git/command.ts";
import type { Command } from "../../shell/command.ts";
import { subcommandOf } from "../../shell/launch/subcommand.ts";
import { hasOption, type OptionSpec, readOptions } from "../../shell/options.ts";
import { COMMIT_OPTIONS } from "../commit-messages/messages-on-line.ts";

export type TerminalKind = "editor" | "pager" | "rebase" | "patch";

/** A command that waits for a person in front of a terminal. */
export interface TerminalUse {
  readonly kind: TerminalKind;
  /** As messages show it: `vim`, `git add -p`. */
  readonly name: string;
}

const EDITORS = new Set(["vi", "vim", "nvim", "view", "vimdiff", "nano", "pico", "micro", "emacs"]);
const PAGERS = new Set(["less", "more", "most", "man"]);
/** With one of these an editor or a pager ends by itself. */
const ENDS = /^(?:--?(?:version|help|batch|headless|script|daemon)(?:=.*)?|-(?:es|Es|V)|-[?h])$/;
/** How `man` is asked for something other than a page. */
const NO_PAGE = /^(?:-[kfwWP]|--(?:apropos|whatis|where|path|location|pager)\b)/;
/** These give what they start a terminal of its own. */
const TERMINALS = new Set(["tmux", "screen", "script", "expect", "unbuffer", "dtach", "abduco"]);

const ADD: OptionSpec = { short: "inpvfAuNe", long: "interactive patch edit chmod: pathspec-from-file:" };
/** Options of the git commands that choose parts of changes, by subcommand. */
const PATCHES: Readonly<Record<string, OptionSpec>> = {
  add: ADD,
  stage: ADD,
  commit: COMMIT_OPTIONS,
  checkout: { short: "b:B:pfqtmdl", long: "patch conflict: orphan: pathspec-from-file:" },
  restore: { short: "s:pqSWm", long: "patch source: conflict: pathspec-from-file:" },
  reset: { short: "pqN", long: "patch pathspec-from-file:" },
  stash: { short: "m:pkuaqS", long: "patch message: pathspec-from-file:" },
};
const REBASE: OptionSpec = {
  short: "s:X:x:C:S::r::imvqnf",
  long: "interactive onto: exec: strategy: strategy-option: whitespace: empty:",
};
const SEQUENCE_EDITOR = "GIT_SEQUENCE_EDITOR";

/** What a line starts that would wait for keys. */
export function terminalUses(commands: readonly Command[]): readonly TerminalUse[] {
  return commands.flatMap((command) => {
    const { program = "", uncertain } = command;
    if (uncertain.includes("uncalled") || uncertain.includes("alias") || hasTerminal(command)) return [];
    if (program === "git") return gitUse(command, commands) ?? [];
    if (command.args.some((arg) => ENDS.test(arg ?? ""))) return [];
    if (EDITORS.has(program)) return { kind: "editor", name: program };
    return PAGERS.has(program) && !isPlain(command, commands) ? { kind: "pager", name: program } : [];
  });
}

function hasTerminal({ via }: Command): boolean {
  return via !== undefined && (TERMINALS.has(via.program ?? "") || hasTerminal(via));
}

/** Does the pager only hand its text on? */
function isPlain(command: Command, commands: readonly Command[]): boolean {
  if (command.program === "man" && command.args.some((arg) => NO_PAGE.test(arg ?? ""))) return true;
  const isSaved = command.redirections.some(({ operator, fd }) => /^&?>/.test(operator) && (fd ?? 1) === 1);
  return isSaved || commands.some(({ upstream }) => upstream.includes(command));
}

function gitUse(command: Command, commands: readonly Command[]): TerminalUse | undefined {
  const sub = subcommandOf(command);
  const name = sub?.name ?? "";
  if (sub && name === "rebase") {
    const isInteractive = hasOption(readOptions(sub.words, REBASE, true), "i interactive");
    const isScripted = commands.some(setsSequenceEditor) || sub.options.get("c")?.some(isSequenceEditor);
    return isInteractive && !isScripted ? { kind: "rebase", name: "git rebase --interactive" } : undefined;
  }
  const spec = Object.hasOwn(PATCHES, name) ? PATCHES[name] : undefined;
  // What answers the questions may come through a pipe.
  if (!sub || !spec || isFed(command)) return undefined;
  const options = readOptions(sub.words, spec, true);
  // `git stash show -p` prints a patch.
  if (name === "stash" && !/^(?:push|save)?$/.test(options.operands[0]?.text ?? "")) return undefined;
  if (hasOption(options, "p patch")) return { kind: "patch", name: `git ${name} -p` };
  const isMenu = (name === "add" || name === "stage") && hasOption(options, "i interactive");
  return isMenu ? { kind: "patch", name: `git ${name} -i` } : undefined;
}

function setsSequenceEditor({ assignments, program, args }: Command): boolean {
  return (
    assignments.some(({ name }) => name === SEQUENCE_EDITOR) ||
    (program === "export" && args.some((arg) => arg?.startsWith(`${SEQUENCE_EDITOR}=`)))
  );
}

function isSequenceEditor(word: { readonly text: string } | undefined): boolean {
  return word !== undefined && /^sequence\.editor=/i.test(word.text);
}
