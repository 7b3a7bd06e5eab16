import type { Command } from "../../../shell/command.ts";
import type { Scene } from "../../effect.ts";
import { inputText, textWithPlaceholders } from "../../line/line-text.ts";
import type { PowerWord } from "./words.ts";

const VALUED =
  /^-(?:path|literalpath|filter|include|exclude|query|name|itemtype|type|computername|value|encoding|stream|driveletter|number|database|serverinstance)$/i;
/** Every command takes these, and what follows says nothing about what it does. */
const COMMON =
  /^-(?:erroraction|ea|warningaction|wa|informationaction|infa|progressaction|proga|(?:error|warning|information|out|pipeline)variable|ev|wv|iv|ov|pv|outbuffer|ob)$/i;

/** The text that pwsh or powershell runs, if the line contains it. Options may be abbreviated, in any case. */
export function scriptOf(command: Command, scene: Scene): string | undefined {
  const words = command.argv.slice(1);
  for (let at = 0; at < words.length; at++) {
    const name = (words[at]?.text ?? "").toLowerCase().replace(/^(?:--?|\/)/, "");
    const option = /^[-/]/.test(words[at]?.text ?? "");
    if (option && (/^c(?:o(?:m(?:m(?:a(?:n(?:d)?)?)?)?)?)?$/.test(name) || name === "commandwithargs")) {
      const rest = words.slice(at + 1);
      if (rest[0]?.text === "-") return inputText(command, scene);
      return rest.map((word) => textWithPlaceholders(word) ?? "\uf0ff").join(" ");
    }
    if (option && /^(?:ec|e|en|enc\w*)$/.test(name))
      return Buffer.from(words[at + 1]?.text ?? "", "base64").toString("utf16le");
    if (option && /^f(?:i(?:l(?:e)?)?)?$/.test(name)) return undefined;
    if (
      option &&
      /^(?:executionpolicy|ep|ex|exec|version|windowstyle|w|inputformat|outputformat|workingdirectory|wd|configurationname)$/.test(
        name,
      )
    )
      at++;
    else if (!option && words[at]?.text !== "-")
      // Only Windows PowerShell takes plain words as a command.
      return command.program?.startsWith("pwsh")
        ? undefined
        : words
            .slice(at)
            .map((word) => textWithPlaceholders(word) ?? "\uf0ff")
            .join(" ");
  }
  return inputText(command, scene);
}

interface Arguments {
  readonly operands: string[];
  readonly flags: string[];
  readonly values: string[];
  /** What each option is given, by its name in small letters. */
  readonly named: ReadonlyMap<string, readonly string[]>;
}

/** What a cmdlet is given. A list behind an option belongs to it as a whole: `-Include bin, obj`. */
export function readArguments(words: readonly PowerWord[]): Arguments {
  const [operands, flags, values]: [string[], string[], string[]] = [[], [], []];
  const named = new Map<string, string[]>();
  let at = 0;
  const list = (): string[] => {
    const found: string[] = [];
    do found.push(words[at++]?.text ?? "");
    while (words[at]?.listed);
    return found;
  };
  while (at < words.length) {
    const { text, quoted } = words[at] ?? { text: "", quoted: false };
    if (quoted || !/^-[A-Za-z?]/.test(text)) {
      operands.push(text);
      at++;
      continue;
    }
    flags.push(text.toLowerCase());
    at++;
    const isPath = /^-(?:path|literalpath|lp)$/i.test(text);
    if (COMMON.test(text)) at++;
    else if (isPath || VALUED.test(text)) {
      const given = list();
      (isPath ? operands : values).push(...given);
      named.set(text.toLowerCase(), given);
    }
  }
  return { operands, flags, values, named };
}
