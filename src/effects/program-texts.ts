import type { Command, Word } from "../shell/command.ts";
import type { Effect, Scene } from "./effect.ts";
import { scriptEffects } from "./languages/scripts/effects.ts";
import type { Language } from "./languages/scripts/tokens.ts";
import { sqlEffects } from "./languages/sql/effects.ts";
import type { SqlDialect } from "./languages/sql/tokens.ts";
import { fileText, inputText, quotedWords, textWithPlaceholders } from "./line/line-text.ts";
import { has, valuesOf } from "./loose-options.ts";
import { matchedLength, readWords, type WordTable } from "./program-rules.ts";

/** Where a program takes a text in another language. */
interface GivenText {
  /** The words before it, as in a rule; none by default. */
  readonly after?: string;
  /** The options that hold it; otherwise it is the words that follow. */
  readonly option?: string;
}

/** A text for a shell. */
export interface ShellText extends GivenText {
  /** It is what follows a lone `--`. */
  readonly behindDashes?: true;
  /** The shell is on another machine. */
  readonly remote?: true;
}

export interface SqlText extends GivenText {
  readonly dialect?: SqlDialect;
  /** Options that name files of statements. */
  readonly files?: string;
  /** Options with which it is only checked. */
  readonly unless?: string;
  /** The options stand behind a lone `--`. */
  readonly behindDashes?: true;
  /** It reads its input: when it is given no text, or always. */
  readonly stdin?: true | "only";
}

/** A text in a programming language. */
export interface ScriptText extends GivenText {
  readonly language: Language;
  readonly stdin?: true | "only";
}

export function shellEffects(
  texts: readonly ShellText[],
  table: WordTable,
  command: Command,
  scene: Scene,
): readonly Effect[] {
  const words = command.argv.slice(1);
  return texts.flatMap((one) => {
    const { operands, given, rest } = readWords(withValues(table, one.option), words);
    const length = matchedLength(operands, one.after ?? "**");
    if (length === undefined) return [];
    const by = one.remote ? { ...command, remote: true } : command;
    if (one.behindDashes) return scene.nested(quotedWords(rest), by);
    if (one.option)
      return valuesOf({ given }, one.option).flatMap((text) => scene.nested(textWithPlaceholders(text) ?? "", by));
    return scene.nested(lineFrom(operands[length], command), by);
  });
}

export function sqlTextEffects(
  texts: readonly SqlText[],
  table: WordTable,
  command: Command,
  scene: Scene,
): readonly Effect[] {
  return texts.flatMap((one) => {
    const found = textsIn(one, table, command, scene);
    return found.flatMap((text) => (text === undefined ? [] : sqlEffects(text, one.dialect ?? {}, command, scene)));
  });
}

export function scriptTextEffects(
  texts: readonly ScriptText[],
  table: WordTable,
  command: Command,
  scene: Scene,
): readonly Effect[] {
  return texts.flatMap((one) =>
    textsIn(one, table, command, scene).flatMap((text) =>
      text === undefined ? [] : scriptEffects(text, one.language, { command, scene, args: [] }),
    ),
  );
}

function textsIn(
  { after, option, files, stdin, behindDashes, unless }: SqlText,
  table: WordTable,
  command: Command,
  scene: Scene,
): readonly (string | undefined)[] {
  const whole = withValues(table, [option, files].join(" "));
  const outer = readWords(whole, command.argv.slice(1));
  const length = after === undefined ? 0 : matchedLength(outer.operands, after);
  if (length === undefined || has(outer, unless)) return [];
  if (stdin === "only") return [inputText(command, scene)];
  const reading = behindDashes ? readWords(whole, outer.rest) : outer;
  const given = option ? valuesOf(reading, option) : files ? [] : reading.operands.slice(length);
  const found = [
    ...given.map(textWithPlaceholders),
    ...(files ? valuesOf(reading, files) : []).map((file) => fileText(file, command, scene)),
  ];
  return found.length === 0 && stdin ? [inputText(command, scene)] : found;
}

function withValues(table: WordTable, option = ""): WordTable {
  return { ...table, values: `${table.values ?? ""} ${option}` };
}

/** The word and all behind it, with the options of what is started, but without the app that may stand last. */
function lineFrom(word: Word | undefined, { argv }: Command): string {
  if (!word) return "";
  // Options behind a whole line are the program's own.
  if (/\s/.test(word.text)) return textWithPlaceholders(word) ?? "";
  const end = /^(?:-a|--app)$/.test(argv.at(-2)?.text ?? "") ? -2 : undefined;
  return argv
    .slice(argv.indexOf(word), end)
    .map((one) => textWithPlaceholders(one) ?? "\uf0ff")
    .join(" ");
}
