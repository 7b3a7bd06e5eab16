import type { Command, Word } from "../command.ts";
import { SHELLS } from "../launchers.ts";
import { literalOutput } from "../output.ts";
import { readShellArguments } from "../shell-arguments.ts";
import { readsCode } from "./code-readers.ts";
import type { Effect, Scene } from "./effect.ts";
import { inputText, textWithHoles } from "./line-text.ts";

const PRINTERS = /^(?:python[\d.]*|node|nodejs|perl|ruby|php|lua|awk|gawk|mawk|deno|bun)$/;

/** Variables whose value is a line that the program they are given to runs. */
const RUN_VARIABLES =
  /^(?:PROMPT_COMMAND|LESSOPEN|LESSCLOSE|PAGER|MANPAGER|(?:SYSTEMD|AWS|GH|BAT|PSQL|DELTA)_PAGER|(?:SUDO|SYSTEMD|KUBE|GH|PSQL|SVN|HG)_?EDITOR|EDITOR|VISUAL|BROWSER|RSYNC_RSH|CVS_RSH)$/;
/** Variables that name a file which a shell reads first. */
const START_FILES = /^(?:BASH_ENV|ENV)$/;

/** A shell that reads what a one-liner of another language prints, or what a variable tells it to do on the side. */
export function printedScripts(scene: Scene): readonly Effect[] {
  return scene.shell.commands.flatMap((command) => {
    if (command.inner.length > 0 && feedsShell(command)) {
      const text = fedText(command, scene);
      if (text !== undefined) return scene.nested(text, command);
    }
    const isShell = SHELLS.has(command.program ?? "");
    if (!isShell && (command.assignments.length === 0 || command.argv.length === 0)) return [];
    if (command.uncertain.includes("uncalled") || command.program === "git") return [];
    const told = command.assignments.flatMap(({ name, value }) => {
      if (!("text" in value)) return [];
      if (RUN_VARIABLES.test(name)) return [value.text.replace(/^\|+-?/, "")];
      const text = isShell && START_FILES.test(name) ? scene.shell.fileText(value, command)?.text : undefined;
      return text === undefined ? [] : [text];
    });
    if (!isShell && told.length === 0) return [];
    const reads = isShell && readShellArguments(command.argv.slice(1)).fromStdin;
    const printed = reads
      ? command.upstream.filter(({ program }) => PRINTERS.test(program ?? "")).flatMap(literals)
      : [];
    return [...told, ...printed].flatMap((text) => scene.nested(text, command));
  });
}

/** `echo … > >(bash)`, `… | tee >(sh)` */
function feedsShell({ argv, redirections, inner }: Command): boolean {
  const feeds = (word: Word | undefined): boolean => word?.known === false && word.text.startsWith(">(");
  return (argv.some(feeds) || redirections.some(({ target }) => feeds(target))) && inner.some(readsCode);
}

function fedText(command: Command, scene: Scene): string | undefined {
  if (command.program === "tee") return inputText(command, scene);
  return textWithHoles(literalOutput({ ...command, redirections: [] }));
}

/** Texts in quotes inside the words of a one-liner. */
function literals(command: Command): readonly string[] {
  const code = command.args.filter((arg) => arg !== undefined && arg.length <= 10_000).join("\n");
  return [...code.matchAll(/"([^"\\\n]{3,500})"|'([^'\\\n]{3,500})'/g)].map(
    ([, double, single]) => double ?? single ?? "",
  );
}
