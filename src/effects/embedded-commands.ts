import type { Command, Word } from "../shell/command.ts";
import {
  CONTAINER_TOOLS,
  LAUNCHERS,
  MULTICALL_PROGRAMS,
  SHELLS,
  SUBCOMMAND_LAUNCHERS,
} from "../shell/launch/launchers.ts";
import { RARE_LAUNCHERS } from "../shell/launch/rare-launchers.ts";
import type { Effect, Scene } from "./effect.ts";
import { sqlEffects } from "./languages/sql/effects.ts";
import { quotedWords, textWithPlaceholders } from "./line/line-text.ts";

/** Programs whose nested commands the shell reader follows already. */
const FOLLOWED = new Set([
  ...[...SHELLS, ...MULTICALL_PROGRAMS, ...CONTAINER_TOOLS],
  ...[LAUNCHERS, SUBCOMMAND_LAUNCHERS, RARE_LAUNCHERS].flatMap((table) => Object.keys(table)),
  ..."xargs parallel flock su script find fd fdfind ssh env eval exec time watch".split(" "),
]);

/** A command line inside the words of a tool. */
interface EmbeddedLine {
  readonly text: string;
  readonly by: Command;
  /** The tool's own words. */
  readonly words: readonly Word[];
}

/** Found by the words alone; undefined when none of them starts a command. */
export function embeddedLine(command: Command, isKnown: boolean): EmbeddedLine | undefined {
  if (FOLLOWED.has(command.program ?? "")) return undefined;
  const { argv } = command;
  const ssh = argv.findIndex(({ text }, at) => at > 0 && at < 3 && text === "ssh");
  if (ssh > 0 && argv.length > ssh + 2) {
    const text = textOnHost(argv.slice(ssh + 1));
    return { text, by: { ...command, remote: true }, words: argv.slice(0, ssh) };
  }
  const line = embedded(argv, isKnown);
  return line && { text: line.text, by: command, words: argv.slice(0, line.from) };
}

/** Behind the host's name: one text, or words. */
function textOnHost(words: readonly Word[]): string {
  const text = words.find((word) => /\s/.test(word.text));
  if (text) return textWithPlaceholders(text) ?? "";
  const dashes = words.findIndex((word) => word.text === "--");
  return quotedWords(words.slice(Math.max(1, dashes + 1)));
}

/**
 * The command line behind `--`, behind `exec` or `run`, after an option for commands, or plainly a recursive deletion
 * among the words: a tool that is known has an `rm` of its own.
 */
function embedded(
  argv: readonly Word[],
  isKnown: boolean,
): { readonly text: string; readonly from: number } | undefined {
  const dashes = argv.findIndex(({ text }) => text === "--");
  if (dashes > 0 && argv.length > dashes + 1 && !argv[dashes + 1]?.text.startsWith("-"))
    return { text: lineOf(argv.slice(dashes + 1)), from: dashes };
  for (const [at, { text }] of argv.entries()) {
    const next = argv[at + 1];
    if (at === 0 || !next) continue;
    const removes = /(?:^|\/)rm$/.test(text) && /^-\w*[rR]|^--recursive$/.test(next.text);
    if (removes && !isKnown) return { text: quotedWords(argv.slice(at)), from: at };
    if (/^(?:-c|--command|--cmd|--exec|exec-env|exec-file)$/.test(text)) {
      const told = argv.slice(at + 1).find((word) => /\s/.test(word.text));
      // Any option may be called so: the words around it are still the tool's own.
      return told && { text: textWithPlaceholders(told) ?? "", from: argv.length };
    }
    if (/^(?:exec|run)$/.test(text) && at < 3 && !next.text.startsWith("-"))
      return { text: lineOf(argv.slice(at + 1)), from: at };
  }
  return undefined;
}

/** `run 'rm -rf x'`: one word with blanks is a line already. */
function lineOf(words: readonly Word[]): string {
  const [only, more] = words;
  return only && !more && /\s/.test(only.text) ? (textWithPlaceholders(only) ?? "") : quotedWords(words);
}

const STATEMENT = /(?:^|;)\s*(?:drop|truncate|delete|alter|update|with|begin)\s/i;
/** What follows these is text for people. */
const PROSE =
  /^--?(?:m|message|msg|d|desc|description|t|title|n|name|b|body|note|notes|comment|reason|label|tag|subject|summary|filter|annotation)$/;
const TAKES_SQL = /^(?:sql|query|shell|execute|exec|console|cli|db|database|psql|mysql|d1)$/;

/**
 * Statements among the words. Any word of a tool that keeps data may be one; of another only where it says that it
 * takes them.
 */
export function sqlInWords(command: Command, scene: Scene, keepsData: boolean): readonly Effect[] {
  const { argv } = command;
  const texts = argv.slice(1).filter((word, at) => /\s/.test(word.text) && !isProse(word, argv[at]));
  const statements = texts.map((word) => (textWithPlaceholders(word) ?? "").replace(/^--?[\w-]+=/, ""));
  const found = statements.filter((text) => STATEMENT.test(text));
  if (found.length === 0 || !(keepsData || argv.slice(1, 4).some(({ text }) => TAKES_SQL.test(text)))) return [];
  return found.flatMap((text) => sqlEffects(text, {}, command, scene));
}

function isProse({ text }: Word, before: Word | undefined): boolean {
  const [option = "", value] = /^(--?[\w-]+)=/.exec(text)?.slice(1) ?? [];
  return PROSE.test(value === undefined && option === "" ? (before?.text ?? "") : option);
}
