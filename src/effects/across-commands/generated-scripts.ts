import type { Command, Word } from "../../shell/command.ts";
import { literalOutput } from "../../shell/expand/output.ts";
import { SHELLS } from "../../shell/launch/launchers.ts";
import { readShellArguments } from "../../shell/launch/shell-arguments.ts";
import type { Effect, Scene } from "../effect.ts";
import { readsCode } from "../languages/code-readers.ts";
import { formatted, HOLE, NAMED_PIECE } from "../languages/scripts/texts.ts";
import { type Language, scriptTokens } from "../languages/scripts/tokens.ts";
import { inputText, textWithPlaceholders } from "../line/line-text.ts";

/** Variables whose value is a line that the program they are given to runs. */
const RUN_VARIABLES =
  /^(?:PROMPT_COMMAND|LESSOPEN|LESSCLOSE|PAGER|MANPAGER|(?:SYSTEMD|AWS|GH|BAT|PSQL|DELTA)_PAGER|(?:SUDO|SYSTEMD|KUBE|GH|PSQL|SVN|HG)_?EDITOR|EDITOR|VISUAL|BROWSER|RSYNC_RSH|CVS_RSH)$/;
/** Variables that name a file which a shell reads first. */
const START_FILES = /^(?:BASH_ENV|ENV)$/;

/** A shell that reads what a one-liner of another language prints, or what a variable tells it to do on the side. */
export function generatedScripts(scene: Scene): readonly Effect[] {
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
    const printed = reads ? command.upstream.flatMap(literals) : [];
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
  return textWithPlaceholders(literalOutput({ ...command, redirections: [] }));
}

const LONGEST_CODE = 10_000;
const LANGUAGES: readonly (readonly [programs: RegExp, language: Language])[] = [
  [/^python/, "python"],
  [/^(?:node|nodejs|deno|bun)$/, "js"],
  [/^[gm]?awk$/, "awk"],
  [/^perl$/, "perl"],
  [/^ruby$/, "ruby"],
  [/^php$/, "php"],
  [/^lua$/, "lua"],
];
/** `s/^/rm -rf /`: what is put in the place of something. */
const REPLACEMENT = /(?<![\w$@%])s([/|#,!])(?:\\.|(?!\1).){0,200}\1((?:\\.|(?!\1).){3,200})\1/g;

/** Texts in quotes inside the words of a one-liner, with a hole for each piece that is only known when it runs. */
function literals({ program = "", args }: Command): readonly string[] {
  const code = args.filter((arg) => arg !== undefined && arg.length <= LONGEST_CODE).join("\n");
  const language = LANGUAGES.find(([programs]) => programs.test(program))?.[1];
  if (language === undefined) return [];
  const tokens = scriptTokens(code, language);
  const texts = tokens.flatMap(({ type, text }, at) => {
    if (type !== "string" || text.length < 3) return [];
    const next = tokens[at + 1];
    // print("a", b), "a" + b
    const more = next?.type === "mark" ? { ",": ` ${HOLE}`, "+": HOLE, ".": HOLE, "..": HOLE }[next.text] : undefined;
    return [filled(text) + (more ?? (/\s$/.test(text) ? HOLE : ""))];
  });
  const replaced = language === "perl" ? [...code.matchAll(REPLACEMENT)].map((match) => match[2] ?? "") : [];
  return [...texts, ...replaced.map((text) => `${text.replace(/\$(?:\d|&|\{\w+\})|\\\d/g, HOLE)}${HOLE}`)];
}

function filled(text: string): string {
  return formatted(text.replace(NAMED_PIECE, HOLE), []);
}
