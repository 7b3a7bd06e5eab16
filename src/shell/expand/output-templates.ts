import type { Word } from "../command.ts";
import { hasPlaceholder, PLACEHOLDER } from "../placeholders.ts";
import { decodeEscapes } from "./text-filters.ts";

const MAX_LINES = 200;
const MAX_TEXT = 20_000;

/**
 * The output of programs whose arguments are a template of each line: `sed 's/^/mv /'`, `awk '{print "mv "$1}'`. What
 * they insert is a placeholder. The number of lines does not matter: one line stands for all unknown ones.
 */
export function templateOutput(program: string, words: readonly Word[], read: string | undefined): string | undefined {
  switch (program) {
    case "echo":
      return echoed(words);
    case "printf":
      return printed(words);
    case "sed":
    case "gsed":
      return edited(words, read);
    case "awk":
    case "gawk":
    case "mawk":
    case "nawk":
      return awkPrints(words);
    case "jq":
      return jqPrints(words);
    case "find":
      return filled(after(words, /^-f?printf$/), /%[-+ 0#]*\d*(?:\.\d+)?(?:[AaBCcDdFfGgHhiklMmnPpSsTtuUYyZ]@?)/g);
    case "git":
      return filled(format(words), /%(?:\([^)]*\)|[a-zA-Z]{1,2})/g);
    case "docker":
    case "podman":
    case "kubectl":
      return filled(format(words), /\{\{[^}]*\}\}/g);
    default:
      return undefined;
  }
}

/** `echo` with at least one unknown word. */
function echoed(words: readonly Word[]): string | undefined {
  const rest = /^-[neE]+$/.test(words[0]?.text ?? "") ? words.slice(1) : words;
  return rest.every(({ known }) => known)
    ? undefined
    : `${rest.map((word) => (word.known ? word.text : (word.shape ?? PLACEHOLDER))).join(" ")}\n`;
}

/** `printf` with any conversions; the format is used once. */
function printed([first, ...values]: readonly Word[]): string | undefined {
  const text = first?.known && !first.text.startsWith("-") ? decodeEscapes(first.text) : (first?.shape ?? undefined);
  if (text === undefined || text.length > MAX_TEXT) return undefined;
  let next = 0;
  return text.replace(/%(%|[-+ 0#]*\d*(?:\.\d+)?[a-zA-Z])/g, (_all, kind: string) => {
    if (kind === "%") return "%";
    const value = values[next++];
    return value?.known ? value.text : (value?.shape ?? PLACEHOLDER);
  });
}

function after(words: readonly Word[], option: RegExp): string | undefined {
  const at = words.findIndex(({ text }) => option.test(text));
  return at < 0 ? undefined : words[at + 1]?.known ? words[at + 1]?.text : words[at + 1]?.shape;
}

function format(words: readonly Word[]): string | undefined {
  for (const [at, { text, known, shape }] of words.entries()) {
    const [, attached] = /^--(?:format|pretty)=(?:tformat:|format:)?(.*)$/s.exec(known ? text : (shape ?? "")) ?? [];
    if (attached !== undefined) return `${attached}\n`;
    if (text === "--format") return `${words[at + 1]?.text ?? ""}\n`;
  }
  return undefined;
}

function filled(text: string | undefined, fields: RegExp): string | undefined {
  if (text === undefined || text.length > MAX_TEXT) return undefined;
  const plain = decodeEscapes(text) ?? text;
  return plain.replace(fields, PLACEHOLDER);
}

/** The strings of a `jq` program that contain `\\(…)`. */
function jqPrints(words: readonly Word[]): string | undefined {
  const program = words.find(({ text }) => !text.startsWith("-"));
  if (
    !program?.known ||
    program.text.length > MAX_TEXT ||
    !words.some(({ text }) => /^-\w*[rj]|^--raw-output/.test(text))
  )
    return undefined;
  const texts = [...program.text.matchAll(/"((?:[^"\\]|\\\((?:[^()]|\([^()]*\))*\)|\\[^(])*)"/g)].flatMap(
    ([, text = ""]) => (text.includes("\\(") ? [text.replace(/\\\((?:[^()]|\([^()]*\))*\)/g, PLACEHOLDER)] : []),
  );
  return texts.length === 0 ? undefined : `${texts.map((text) => decodeEscapes(text) ?? text).join("\n")}\n`;
}

interface Substitution {
  readonly from: string;
  readonly to: string;
}

function edited(words: readonly Word[], read: string | undefined): string | undefined {
  const scripts: string[] = [];
  let operands = 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    const text = word?.known ? word.text : word?.shape;
    if (text === undefined || text.length > MAX_TEXT) return undefined;
    if (text === "-e" || text === "--expression" || /^-[nEru]+e$/.test(text)) {
      const value = words[++at];
      scripts.push(value?.known ? value.text : (value?.shape ?? ""));
    } else if (/^-[nEruz]+$|^--(?:regexp-extended|quiet|silent|unbuffered|posix)$/.test(text)) continue;
    else if (text.startsWith("-")) return undefined;
    else if (scripts.length === 0) scripts.push(text);
    else operands++;
  }
  const steps = scripts.map(substitutions);
  if (steps.length === 0 || steps.some((step) => step === undefined)) return undefined;
  const all = steps.flatMap((step) => step ?? []);
  const lines = operands > 0 || read === undefined ? [PLACEHOLDER] : read.replace(/\n$/, "").split("\n");
  if (lines.length > MAX_LINES || all.length > MAX_LINES) return undefined;
  const done = lines.map((line) =>
    all.reduce((text: string | undefined, one) => (text === undefined ? undefined : substituted(text, one)), line),
  );
  return done.some((line) => line === undefined) ? undefined : `${done.join("\n")}\n`;
}

/** The substitutions of a `sed` script, with or without addresses; undefined with commands other than `p` and `d`. */
function substitutions(script: string): readonly Substitution[] | undefined {
  const found: Substitution[] = [];
  let at = 0;
  while (at < script.length) {
    const rest = /^[\s;{}]*(?:(?:\d+|\$|\/[^/]*\/)(?:,(?:\d+|\$|\/[^/]*\/))?!?\s*)?\{?\s*/.exec(
      script.slice(at, at + 300),
    );
    at += rest?.[0].length ?? 0;
    if (at >= script.length) break;
    if (/[pd]/.test(script[at] ?? "") && /^[;\s}]?$/.test(script[at + 1] ?? "")) {
      at++;
      continue;
    }
    const mark = script[at + 1] ?? "";
    if (script[at] !== "s" || mark === "" || /[\w\s\\]/.test(mark)) return undefined;
    const from = piece(script, at + 2, mark);
    const to = from === undefined ? undefined : piece(script, from.end, mark);
    if (!from || !to) return undefined;
    found.push({ from: from.text, to: to.text });
    at = to.end;
    while (/[gpiIm\d]/.test(script[at] ?? "")) at++;
    if (!/^[;\s}]?$/.test(script[at] ?? "")) return undefined;
  }
  return found;
}

function piece(
  script: string,
  start: number,
  mark: string,
): { readonly text: string; readonly end: number } | undefined {
  for (let at = start; at < script.length; at++) {
    if (script[at] === "\\") at++;
    else if (script[at] === mark) return { text: script.slice(start, at).replaceAll(`\\${mark}`, mark), end: at + 1 };
  }
  return undefined;
}

/** Patterns that match any whole line. */
const WHOLE = /^\^?(?:\\?\(?\.[*+]\\?\)?)\$?$/;

function substituted(line: string, { from, to }: Substitution): string | undefined {
  if (WHOLE.test(from)) return replacement(to, line);
  if (from === "^") return replacement(to, "") + line;
  if (from === "$") return line + replacement(to, "");
  const plain = !/[\\.*[\]^$+?(){}|]/.test(from);
  if (plain && line.includes(from)) return line.replaceAll(from, () => replacement(to, from));
  if (plain && !hasPlaceholder(line)) return line;
  // Of an unknown line the replacement is still known where the pattern is anchored at an end.
  if (!hasPlaceholder(line)) return undefined;
  if (from.startsWith("^") && from.endsWith("$")) return replacement(to, PLACEHOLDER);
  if (from.startsWith("^")) return replacement(to, PLACEHOLDER) + line;
  if (from.endsWith("$")) return line + replacement(to, PLACEHOLDER);
  if (/^\\?\(?\.[*+]|\\?\(.*\.[*+]/.test(from)) return replacement(to, PLACEHOLDER);
  return line;
}

function replacement(to: string, whole: string): string {
  return to.replace(/\\([\s\S])|&/g, (all, one: string | undefined) => {
    if (all === "&") return whole;
    if (one === "n") return "\n";
    if (one === "t") return "\t";
    return one !== undefined && /\d/.test(one) ? whole || PLACEHOLDER : (one ?? "");
  });
}

/** The lines that the print statements of an awk program print. */
function awkPrints(words: readonly Word[]): string | undefined {
  const operands: string[] = [];
  for (let at = 0; at < words.length && operands.length === 0; at++) {
    const word = words[at];
    const text = word?.known ? word.text : (word?.shape ?? "");
    if (/^(?:-F|-v|--assign|--field-separator)$/.test(text)) at++;
    else if (/^(?:-f|--file)/.test(text)) return undefined;
    else if (!/^-./.test(text)) operands.push(text);
  }
  const [program = ""] = operands;
  if (program.length > MAX_TEXT || !program.includes("print")) return undefined;
  const tokens = program.match(AWK_TOKEN) ?? [];
  const lines: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at] !== "print" && tokens[at] !== "printf") continue;
    const statement: string[] = [];
    let depth = 0;
    let end = at + 1;
    for (; end < tokens.length; end++) {
      const token = tokens[end] ?? "";
      if (depth === 0 && /^(?:[;\n}|>]|>>)$/.test(token)) break;
      if (token === "(") depth++;
      if (token === ")") depth--;
      statement.push(token);
    }
    // Output to a file or another program does not go to standard output.
    if (!/^[|>]/.test(tokens[end] ?? "")) lines.push(awkLine(statement, tokens[at] === "printf"));
    at = end;
  }
  return lines.length === 0 ? undefined : lines.join("");
}

const AWK_TOKEN = /"(?:[^"\\]|\\[\s\S])*"|[A-Za-z_]\w*|\d+|>>|[^\s]|\n/g;

function awkLine(statement: readonly string[], formatted: boolean): string {
  let format: string | undefined;
  let depth = 0;
  let line = "";
  for (const [at, token] of statement.entries()) {
    // Parentheses around the whole statement are not a call.
    if (token === "(" && (at === 0 || depth > 0 || /^\w/.test(statement[at - 1] ?? ""))) {
      if (at > 0) depth++;
      continue;
    }
    if (token === ")") {
      depth = Math.max(0, depth - 1);
      continue;
    }
    if (depth > 0) continue;
    if (token.startsWith('"')) {
      const text = decodeEscapes(token.slice(1, -1)) ?? token.slice(1, -1);
      if (formatted && format === undefined) format = text;
      else line += text;
    } else if (token === ",") line += formatted ? "" : " ";
    else if (/^[\w$]/.test(token) && !line.endsWith(PLACEHOLDER)) line += PLACEHOLDER;
  }
  if (!formatted) return `${line === "" ? PLACEHOLDER : line}\n`;
  return (format ?? "").replace(/%(%|[-+ 0#]*\d*(?:\.\d+)?[a-zA-Z])/g, (_all, kind: string) =>
    kind === "%" ? "%" : PLACEHOLDER,
  );
}
