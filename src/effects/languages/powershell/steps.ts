import { posix } from "node:path";
import { readArguments } from "./arguments.ts";
import { downloadedFiles } from "./flows.ts";
import { type PowerCommand, type PowerWord, powerCommands } from "./words.ts";

/** A text of PowerShell as bash would write it. */
interface Translation {
  readonly text: string;
  /** Where each of its commands begins there, and whether it stands in brackets or a block. */
  readonly steps: readonly { readonly start: number; readonly isInner: boolean }[];
}

const MAX_DEPTH = 4;
const NOWHERE = " > /dev/null";
/** Words before a command that say when it runs. */
const KEYWORD = /^(?:if|elseif|else|foreach|for|while|do|until|try|catch|finally|return|switch|begin|process|end|\.)$/i;
const ASSIGNS = /^(?:[-+*/%]|\?\?)?=$/;
/** `> file`, `2>> file`, `*> file`, with the name attached or as the next word. */
const REDIRECTS = /^[\d*]?>{1,2}(?!\()(.*)$/s;
/** Prints what its brackets hold. */
const SPEAKS = /^(?:write-(?:host|output|information)|echo|write|out-(?:host|string|default))$/i;
/** Gives on what it is piped, or some of it. */
const PASSES =
  /^(?:select-object|select|where-object|where|\?|sort-object|sort|format-\w+|f[tl]|out-(?:string|host|default)|convert\w+-\w+)$/;
const TYPE =
  /^\[(?:system\.)?io\.(?:file|directory)\]::(delete|(?:write|append)\w+|create\w*|open(?:write)?|copy|move|replace)$/i;

/**
 * The commands of a PowerShell text in words of bash, for whoever asks which programs run and which files are read and
 * written. What they lose is not asked of these: the cmdlets have rules of their own.
 */
export function inBash(script: string, home: string, depth = 0): Translation {
  const commands = depth > MAX_DEPTH ? [] : (powerCommands(script, home) ?? []);
  const steps: { start: number; isInner: boolean }[] = [];
  let text = "";
  commands.forEach((one, at) => {
    const next = commands[at + 1];
    text += one.piped && at > 0 ? " | " : "\n";
    steps.push({ start: text.length, isInner: one.depth > 0 });
    const line = lineOf(one, next, home, depth);
    const isKept = !next?.piped && isCaptured(one, commands, at);
    text += isKept && !line.includes(">") ? `${line}${NOWHERE}` : line;
  });
  return { text, steps };
}

/** Goes into a variable, or to the command around its brackets. */
function isCaptured(one: PowerCommand, commands: readonly PowerCommand[], at: number): boolean {
  let first = at;
  while (first > 0 && commands[first - 1]?.statement === one.statement) first--;
  const [head, sign] = commands[first]?.words ?? [];
  if (head && sign && !sign.quoted && ASSIGNS.test(sign.text)) return true;
  return one.depth > (commands[first]?.depth ?? 0) && !SPEAKS.test(head?.text ?? "");
}

function lineOf(one: PowerCommand, next: PowerCommand | undefined, home: string, depth: number): string {
  const { words, files } = withoutRedirections(withoutFrame(one.words));
  const outputs = files.map((file) => ` >> ${bashWord(file)}`).join("");
  const [first] = words;
  if (!first) return `:${outputs}`;
  const called = TYPE.exec(words.at(-1)?.text ?? "")?.[1]?.toLowerCase();
  if (called !== undefined) return typeCall(called, next?.words ?? []) + outputs;
  if (first.quoted && (words.length === 1 || words[1]?.listed)) return `printf %s ${bashWords(words)}${outputs}`;
  if (/^[[\d\uf0ff]/.test(first.text)) return `:${outputs}`;
  return cmdlet(words, one.piped, home, depth) + outputs;
}

/** Without `$x =` and keywords. */
function withoutFrame(words: readonly PowerWord[]): readonly PowerWord[] {
  const [first, second] = words;
  if (first && second && !second.quoted && ASSIGNS.test(second.text)) return withoutFrame(words.slice(2));
  return first && !first.quoted && KEYWORD.test(first.text) ? withoutFrame(words.slice(1)) : words;
}

function withoutRedirections(words: readonly PowerWord[]): { words: readonly PowerWord[]; files: readonly string[] } {
  const kept: PowerWord[] = [];
  const files: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    const attached = word && !word.quoted ? REDIRECTS.exec(word.text)?.[1] : undefined;
    if (attached === undefined) {
      if (word) kept.push(word);
      continue;
    }
    const target = attached === "" ? words[++at] : { text: attached, quoted: false };
    // `2>&1`, `> $null`
    if (target && (target.quoted || !/^(?:\d|null)$/.test(target.text))) files.push(slashed(target.text));
  }
  return { words: kept, files };
}

function typeCall(called: string, words: readonly PowerWord[]): string {
  const paths = words.map(({ text }) => slashed(text));
  if (called === "delete") return `rm -rf ${paths.slice(0, 1).map(bashWord).join(" ")}`;
  if (called === "copy") return `cp ${paths.slice(0, 2).map(bashWord).join(" ")}`;
  if (called === "move" || called === "replace") return `mv ${paths.slice(0, 2).map(bashWord).join(" ")}`;
  const [path, ...content] = words;
  return path ? `printf %s ${bashWords(content)} >> ${bashWord(slashed(path.text))}` : ":";
}

function cmdlet(words: readonly PowerWord[], isPiped: boolean, home: string, depth: number): string {
  const name = (words[0]?.text ?? "").toLowerCase();
  const { operands, flags, values, named } = readArguments(words.slice(1));
  const paths = operands.map(slashed);
  const given = paths.map(bashWord).join(" ");
  const isOn = (option: RegExp): boolean => flags.some((flag) => option.test(flag));
  switch (true) {
    case isOn(/^-(?:whatif|wi)$/):
      return ":";
    case isPiped && PASSES.test(name):
      return "cat";
    case /^(?:select-string|sls)$/.test(name):
      return `grep ${isOn(/^-q/) ? "-q " : ""}${given}`;
    case SPEAKS.test(name):
      return `echo ${operands.map(bashWord).join(" ")}`;
    case /^(?:get-content|gc|cat|type)$/.test(name):
      return `cat ${given}`;
    case /^(?:set-content|sc|out-file|add-content|ac|tee-object|tee|export-\w+)$/.test(name): {
      const path = paths[0] ?? named.get("-filepath")?.[0] ?? "";
      if (isPiped) return `tee -a ${bashWord(path)}${NOWHERE}`;
      return `printf %s ${[...operands.slice(1), ...values].map(bashWord).join(" ")} >> ${bashWord(path)}`;
    }
    case /^(?:clear-content|clc|clear-item|cli)$/.test(name):
      return `truncate --size=0 ${given}`;
    case /^(?:new-item|ni|md|mkdir)$/.test(name): {
      const folder = paths[0] ?? ".";
      const leaf = named.get("-name")?.[0];
      const path = bashWord(leaf === undefined ? folder : posix.join(folder, slashed(leaf)));
      const isFolder = /^m/.test(name) || values.some((value) => /^(?:directory|d)$/i.test(value));
      return isFolder ? `mkdir -p ${path}` : `touch ${path}`;
    }
    case /^(?:copy-item|cpi|cp|copy)$/.test(name):
      return `cp -r ${given}`;
    case /^(?:move-item|mi|mv|move)$/.test(name):
      return `mv ${given}`;
    case /^(?:rename-item|rni|ren)$/.test(name): {
      const [from = "", to = ""] = paths;
      return `mv ${bashWord(from)} ${bashWord(posix.join(posix.dirname(from), to))}`;
    }
    case /^(?:remove-item|ri|rm|del|erase|rd|rmdir)$/.test(name): {
      const how = `${isOn(/^-(?:r|rec\w*|rf|fr)$/) ? "r" : ""}${isOn(/^-(?:fo\w*|rf|fr)$/) ? "f" : ""}`;
      return `rm ${how === "" ? "" : `-${how} `}-- ${given}`;
    }
    case /^(?:set-location|sl|cd|chdir|push-location|pushd)$/.test(name):
      return `cd ${given}`;
    case /^(?:start-process|saps|start)$/.test(name):
      return operands.flatMap((text, at) => (at === 0 ? [program(text)] : text.split(/\s+/).map(bashWord))).join(" ");
    case /^(?:iex|invoke-expression)$/.test(name):
      // In braces it stays one command of the text around it.
      return `{ ${operands.map((text) => inBash(text, home, depth + 1).text).join("\n")}\n:\n}`;
    default:
      return plain(words);
  }
}

/** A program with its words, or a cmdlet of which only the file is known that it brings. */
function plain(words: readonly PowerWord[]): string {
  const [first, ...rest] = words;
  const line = [program(first?.text ?? ""), bashWords(rest)].join(" ");
  const files = downloadedFiles([{ words, piped: false, statement: 0, depth: 0 }]);
  return files.length === 0 ? line : `${line}; touch ${files.map((file) => bashWord(slashed(file))).join(" ")}`;
}

/** Windows does not care how a name is written, and npm gives a program a file of its own for each shell. */
function program(text: string): string {
  const name = slashed(text).replace(/(?<=.)\.(?:cmd|ps1|bat)$/i, "");
  return bashWord(name.replace(/[^/]+$/, (last) => last.toLowerCase()));
}

function slashed(text: string): string {
  return text.replaceAll("\\", "/");
}

function bashWords(words: readonly PowerWord[]): string {
  return words.map(({ text, quoted }) => bashWord(quoted ? text : slashed(text))).join(" ");
}

/** What stands for other letters is read as such; everything else is text. */
function bashWord(text: string): string {
  return text
    .split(/([*?]+)/)
    .map((part, at) => (at % 2 === 1 || part === "" ? part : `'${part.replaceAll("'", "'\\''")}'`))
    .join("")
    .replace(/^$/, "''");
}
