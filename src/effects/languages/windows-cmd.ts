import type { Command } from "../../shell/command.ts";
import { type Effect, type EffectKind, effect, type Family, type Scene } from "../effect.ts";
import { quotedWords, textWithPlaceholders } from "../line/line-text.ts";
import { named } from "../loose-options.ts";
import { emptied, removed } from "./powershell/effects.ts";

const MAX_DEPTH = 3;

/** cmd /c: one line of the old shell. */
const cmd: Family = (command, scene) => {
  const words = command.argv.slice(1);
  const start = words.findIndex(({ text }) => /^\/\/?[ck]$/i.test(text));
  if (start < 0) return [];
  const line = words
    .slice(start + 1)
    .map((word) => textWithPlaceholders(word) ?? "\uf0ff")
    .join(" ");
  const parts = line.split(/&&?|\|\|?/);
  return [
    ...parts.flatMap((part) => oldCommand(part.trim().split(/\s+/), command, scene)),
    ...(parts.length > 1 ? together(line, command, scene) : []),
  ];
};

const ACROSS: ReadonlySet<EffectKind> = new Set(["remote-code", "exfiltrate-secret"]);

/** What only shows when the commands of the line are seen together, which other shells say almost alike. */
function together(line: string, command: Command, scene: Scene): readonly Effect[] {
  const text = line
    .replace(/(^|[&|]\s*)type\s/gi, "$1cat ")
    .replace(/(^|[&|]\s*)(?:start|call)\s+(?:\/\w+\s+)*/gi, "$1")
    .replace(/(?<!&)&(?!&)/g, ";");
  return scene.nested(text, command).filter(({ kind }) => ACROSS.has(kind));
}

function oldCommand(words: readonly string[], command: Command, scene: Scene, depth = 0): readonly Effect[] {
  const [first = "", ...rest] = words;
  const name = first.toLowerCase().replace(/\.exe$/, "");
  const flags = rest.filter((word) => /^\/\w/.test(word)).map((word) => word.toLowerCase());
  const operands = rest.filter((word) => !/^\/[\w?]/.test(word)).map((word) => word.replaceAll('"', ""));
  if (rest.includes("/?")) return [];
  const inner = repeated(name, rest);
  if (inner.length > 0) return depth < MAX_DEPTH ? oldCommand(inner, command, scene, depth + 1) : [];
  const deep = flags.includes("/s") || name === "deltree";
  if (name === "del" || name === "erase") return operands.flatMap((target) => removed(target, deep, command, scene));
  if (name === "rd" || name === "rmdir" || name === "deltree")
    return deep ? operands.flatMap((target) => removed(target, true, command, scene)) : [];
  if (name === "format")
    return [effect("format-device", command, `formats ${operands.join(" ")}`, { target: operands.join(" ") })];
  if (name === "shutdown")
    return flags.some((flag) => /^\/[srpg]$/.test(flag))
      ? [effect("kill-everything", command, "shuts the computer down")]
      : [];
  const nothing = /^(?:type|copy)$/.test(name) && /^nul$/i.test(operands[0] ?? "");
  const target = operands
    .slice(1)
    .find((word) => word !== ">")
    ?.replace(/^>(?!>)/, "");
  if (nothing && target && !/^(?:>|nul$)/i.test(target)) return emptied(target, command, scene);
  return scene.nested(quotedWords([first, ...rest].map((text) => ({ text, known: true }))), command);
}

/** What `for … do` and `forfiles /c` start again and again. */
function repeated(name: string, rest: readonly string[]): readonly string[] {
  const start = name === "for" ? /^do$/i : name === "forfiles" ? /^\/c$/i : undefined;
  const at = start ? rest.findIndex((word) => start.test(word)) : -1;
  if (at < 0) return [];
  const words = rest.slice(at + 1).map((word) => word.replace(/^[("]+|[)"]+$/g, ""));
  return /^cmd(?:\.exe)?$/i.test(words[0] ?? "") ? words.slice(2) : words;
}

export const WINDOWS_CMD: Readonly<Record<string, Family>> = named("cmd", cmd);
