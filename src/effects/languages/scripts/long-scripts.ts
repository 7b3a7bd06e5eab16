import type { Command } from "../../../shell/command.ts";
import { type Effect, effect } from "../../effect.ts";
import { ACTIONS } from "./actions.ts";
import type { Language } from "./tokens.ts";

/** Names that do nothing without another one of these. */
const ALONE_HARMLESS = /^(?:map|array_map)$/;
/** What reaches a function without its name, talks to the network, or removes by a client library. */
const ANYWHERE = [
  "getattr|__import__|import_module|globals|builtins|compile|fromCharCode|constructor|atob|b64decode|base64|pack|send",
  "child_process|require|include|fetch|[Ss]ockets?|TCPSocket|TCPServer|fsockopen|prune|truncate|objects",
  "(?:[Dd]rop|[Dd]elete|[Dd]estroy|[Tt]erminate|[Pp]urge|[Dd]eregister|[Rr]elease|[Ff]lush|[Rr]emove)\\w*",
].join("|");
/** Marks that hand a text to a shell, or write a file. */
const MARKS: Readonly<Partial<Record<Language, string>>> = {
  perl: "`|\\bqx\\b",
  ruby: "`|%x",
  php: "`",
  awk: "[|>]",
  js: "\\$`|\\bDeno\\b|\\bBun\\b",
};
const made = new Map<Language, RegExp>();

/** Whether a script that is too long to be read names anything that could do harm. Texts full of data do not. */
export function mayHarm(text: string, language: Language): boolean {
  let names = made.get(language);
  if (!names) {
    const actions = [...ACTIONS[language].keys()]
      .map((name) => name.slice(name.lastIndexOf(".") + 1))
      .filter((name) => /^\w+$/.test(name) && !ALONE_HARMLESS.test(name));
    const marks = MARKS[language];
    names = new RegExp(`\\b(?:${[...new Set(actions), ANYWHERE].join("|")})\\b${marks ? `|${marks}` : ""}`);
    made.set(language, names);
  }
  return names.test(text);
}

export const TOO_LONG = "runs a script of more than 12,000 tokens, too long to be checked";
export const SPLIT_IT = "split it into smaller scripts";

export function unreadScript(command: Command): Effect {
  return effect("delete-tree", command, TOO_LONG, { certainty: "possible", instead: SPLIT_IT });
}
