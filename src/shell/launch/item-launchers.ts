import { ANY_WORDS, knownWord, type Word } from "../command.ts";
import { hasOption, type OptionReading, optionDoubts, optionValue, readOptions } from "../options.ts";
import { hasPlaceholder, PLACEHOLDER } from "../placeholders.ts";
import { type Launch, OTHER_STATUS } from "./launch.ts";
import { PARALLEL, XARGS } from "./launchers.ts";

const MAX_ITEMS = 200;
/** A script whose text is not on the line. */
const UNSEEN_SCRIPT: Word = { text: "", known: false };

export function xargs(args: readonly Word[], stdin: Word | undefined): readonly Launch[] {
  const options = readOptions(args, XARGS, false);
  // With -p xargs asks at a terminal before each command, and an agent has none.
  if (hasOption(options, "p interactive")) return [];
  const replaces = ["I", "i", "J", "replace"].filter((name) => options.given.has(name));
  const replaceStrings = replaces.map((name) => options.given.get(name)?.at(-1)?.text || "{}");
  const words = options.operands.length > 0 ? options.operands : [knownWord("echo")];
  const launch = { ...OTHER_STATUS, doubts: optionDoubts(options, args), detachedInput: true as const };
  const items = itemsOf(stdin, options, replaces.length > 0);
  if (items && replaces.length > 0)
    return items.map((item) => ({ ...launch, words: words.map((word) => insert(word, replaceStrings, item)) }));
  const most = Number(optionValue(options, "n max-args")?.text ?? items?.length);
  if (items && most >= 0)
    return chunks(items, most).map((some) => ({ ...launch, words: [...words, ...some.map(knownWord)] }));
  const more = replaces.length > 0 ? [] : [ANY_WORDS];
  return [{ ...launch, words: [...words.map((word) => withPlaceholders(word, replaceStrings)), ...more] }];
}

/** The items that xargs reads, where its input is known. */
function itemsOf(stdin: Word | undefined, options: OptionReading, byLine: boolean): readonly string[] | undefined {
  if (
    !stdin?.known ||
    hasOption(options, "0 null d delimiter a arg-file E e eof L l max-lines") ||
    /["'\\]/.test(stdin.text)
  )
    return undefined;
  const items = stdin.text.split(byLine ? "\n" : /\s+/).map((item) => item.trim());
  const filled = items.filter((item) => item !== "");
  return filled.length <= MAX_ITEMS ? filled : undefined;
}

function chunks(items: readonly string[], size: number): readonly (readonly string[])[] {
  if (items.length <= size || size < 1) return [items];
  return [items.slice(0, size), ...chunks(items.slice(size), size)];
}

function insert(word: Word, replaceStrings: readonly string[], item: string): Word {
  return word.known ? knownWord(replaceStrings.reduce((text, each) => text.replaceAll(each, item), word.text)) : word;
}

export function find(args: readonly Word[]): readonly Launch[] {
  const launches: Launch[] = [];
  for (let at = 0; at < args.length; at++) {
    const action = args[at];
    if (!action?.known || !/^-(?:exec|execdir|ok|okdir)$/.test(action.text)) continue;
    let end = at + 1;
    while (end < args.length && args[end]?.text !== ";" && !(args[end]?.text === "+" && args[end - 1]?.text === "{}"))
      end++;
    const words = args.slice(at + 1, end);
    const many = args[end]?.text === "+";
    const filled = words.map((word) =>
      many && word.text === "{}" ? { ...ANY_WORDS, text: "{}" } : withPlaceholders(word, ["{}"]),
    );
    const folder = action.text.endsWith("dir") ? { text: "", known: false } : undefined;
    if (words.length > 0) launches.push({ ...OTHER_STATUS, words: filled, folder });
    at += words.length;
  }
  return launches;
}

/** `fd pattern -x rm`: found files replace the braces; without braces they are appended. */
export function fd(args: readonly Word[]): readonly Launch[] {
  const at = args.findIndex((word) => /^(?:-x|-X|--exec|--exec-batch)$/.test(word.text));
  const rest = at < 0 ? [] : args.slice(at + 1);
  const end = rest.findIndex((word) => word.text === ";");
  const words = end < 0 ? rest : rest.slice(0, end);
  if (words.length === 0) return [];
  const marked = words.some((word) => /\{\/?\/?\.?\}/.test(word.text));
  return [
    {
      ...OTHER_STATUS,
      words: [
        ...words.map((word) => withPlaceholders(word, ["{}", "{/}", "{//}", "{.}", "{/.}"])),
        ...(marked ? [] : [ANY_WORDS]),
      ],
    },
  ];
}

export function parallel(args: readonly Word[], stdin: Word | undefined): readonly Launch[] {
  const options = readOptions(args, PARALLEL, false);
  const end = options.operands.findIndex((word) => /^:::/.test(word.text));
  const template = end < 0 ? options.operands : options.operands.slice(0, end);
  const replaceStrings = ["{}", "{.}", "{/}", "{//}", "{/.}", "{1}", "{2}", "{3}"];
  const marked = template.some((word) => replaceStrings.some((one) => word.text.includes(one)));
  const launch = { ...OTHER_STATUS, doubts: optionDoubts(options, args.slice(0, args.length - template.length)) };
  if (hasOption(options, "dry-run dryrun")) return [];
  if (template.length === 0) return [{ ...launch, script: (end < 0 ? stdin : undefined) ?? UNSEEN_SCRIPT }];
  const items = end < 0 ? [] : options.operands.slice(end + 1);
  if (options.operands[end]?.text === ":::" && areLiteral(items, template))
    return items.map(({ text }) => ({ ...launch, ...launchFor(template, text) }));
  const [only, more] = template;
  if (only && more === undefined && /\s/.test(only.text)) {
    const text = marked || !only.known ? only : knownWord(`${only.text} {}`);
    return [{ ...launch, script: withPlaceholders(text, replaceStrings), args: undefined }];
  }
  return [
    {
      ...launch,
      words: [...template.map((word) => withPlaceholders(word, replaceStrings)), ...(marked ? [] : [ANY_WORDS])],
    },
  ];
}

/** `parallel rm -rf ::: a b`: up to this number the command for each item is read. */
const MAX_LITERAL_ITEMS = 20;

function areLiteral(items: readonly Word[], template: readonly Word[]): boolean {
  if (items.length === 0 || items.length > MAX_LITERAL_ITEMS) return false;
  if (!items.every((word) => word.known && /^[\w./@%+,-]+$/.test(word.text))) return false;
  return template.every((word) => word.known && !/\{(?!\})/.test(word.text));
}

/** One word with blanks is a shell line, several words are the command itself. */
function launchFor(template: readonly Word[], item: string): Pick<Launch, "script" | "args" | "words"> {
  const isMarked = template.some(({ text }) => text.includes("{}"));
  const words = template.map(({ text }) => knownWord(text.replaceAll("{}", item)));
  const [only, more] = words;
  if (!only || more || !/\s/.test(only.text)) return { words: isMarked ? words : [...words, knownWord(item)] };
  return { script: isMarked ? only : knownWord(`${only.text} ${item}`), args: undefined };
}

function withPlaceholders(word: Word, replaceStrings: readonly string[]): Word {
  const shape = replaceStrings.reduce((text, each) => text.replaceAll(each, PLACEHOLDER), word.shape ?? word.text);
  return hasPlaceholder(shape) && (word.known || word.shape !== undefined) ? { ...word, known: false, shape } : word;
}
