/** One word of PowerShell: bare or quoted, with a hole for what a variable brings. */
export interface PowerWord {
  readonly text: string;
  readonly quoted: boolean;
}

/** A command of a PowerShell text with its words; `piped` when it reads what the one before it gives. */
export interface PowerCommand {
  readonly words: readonly PowerWord[];
  readonly piped: boolean;
}

const HOLE = "\uf0ff";
const BLANKS = /[\s,]+/y;
const BARE = /(?:[^\s;|{}()&,'"`]|`[\s\S]?)+/y;

/** Nobody writes so many words, and each costs some time. */
const MAX_WORDS = 6000;

/** Splits a text into commands; none when there are too many. Brackets of all kinds begin a command of their own. */
export function powerCommands(script: string, home: string): readonly PowerCommand[] | undefined {
  const text = withTemporary(script);
  const commands: { words: PowerWord[]; piped: boolean }[] = [{ words: [], piped: false }];
  let count = 0;
  const put = (word: string, quoted: boolean) => {
    count++;
    commands.at(-1)?.words.push({ text: word, quoted });
  };
  let at = 0;
  while (at < text.length) {
    if (count > MAX_WORDS || commands.length > MAX_WORDS) return undefined;
    const char = text[at] ?? "";
    if (char === "#" && /^$|\s/.test(text[at - 1] ?? "")) at = until(text, "\n", at);
    else if (text.startsWith("<#", at)) at = until(text, "#>", at) + 2;
    else if (/[;\n|{}()&]/.test(char)) {
      if (char !== "&" || text[at + 1] === "&")
        commands.push({ words: [], piped: char === "|" && text[at + 1] !== "|" });
      at += /^(?:\|\||&&)/.test(text.slice(at, at + 2)) ? 2 : 1;
    } else if (/\s|,/.test(char)) at = past(BLANKS, text, at);
    else if (char === "'" || char === '"') {
      const end = closing(text, at, char);
      const raw = text.slice(at + 1, end);
      put(
        char === "'" ? raw.replaceAll("''", "'") : expanded(raw.replace(/`(.)/g, "$1").replaceAll('""', '"'), home),
        true,
      );
      at = end + 1;
    } else {
      const end = bareEnd(text, at);
      put(expanded(text.slice(at, end).replaceAll("`", ""), home), false);
      at = end;
    }
  }
  return commands.filter((command) => command.words.length > 0);
}

function bareEnd(text: string, from: number): number {
  return Math.min(text.length, past(BARE, text, from + 1));
}

function past(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function closing(text: string, from: number, quote: string): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === "`" && quote === '"') at++;
    else if (text[at] === quote && text[at + 1] === quote) at++;
    else if (text[at] === quote) return at;
  }
  return text.length;
}

function until(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  return found < 0 ? text.length : found;
}

/** The folder for temporary files, which is kept under the name that the old shell has for it. */
const TEMPORARY = /\$\{env:(?:TEMP|TMP|TMPDIR)\}|\$env:(?:TEMP|TMP|TMPDIR)(?!\w)/gi;
const ASKED_IN_TEXT = /\$\(\[(?:System\.)?IO\.Path\]::GetTempPath\(\)\)[\\/]?/gi;
const NAMED = /\$(\w+)\s*=\s*(?:\[(?:System\.)?IO\.Path\]::GetTempPath\(\)|%TEMP%)(?=\s*(?:[;\n]|$))/i;

/** Also in a variable, where nothing else is ever put into it: `$t = [IO.Path]::GetTempPath()`. */
function withTemporary(text: string): string {
  const plain = text.replace(TEMPORARY, "%TEMP%").replace(ASKED_IN_TEXT, "%TEMP%/");
  const [all, name] = NAMED.exec(plain) ?? [];
  if (all === undefined) return plain;
  const rest = plain.replace(all, "");
  const isSetAgain = new RegExp(`[$]${name}(?!\\w)\\s*[-+*/%]?=|-Name\\s+${name}\\b|\\bin\\b`, "i").test(rest);
  return isSetAgain ? plain : rest.replace(new RegExp(`[$]${name}(?!\\w)`, "gi"), "%TEMP%");
}

function expanded(text: string, home: string): string {
  if (!/[~$]/.test(text)) return text;
  return text
    .replace(/^~(?=[\\/]|$)/, home)
    .replace(/\$(?:env:)?(?:HOME|USERPROFILE)\b/gi, home)
    .replace(/\$(?:true|false|null)\b/gi, (word) => word.slice(1))
    .replace(/\$\{[^{}]*\}|\$[\w:]+/g, HOLE);
}

const STARTS =
  /^(?:&|\.|start-process|saps|start|invoke-item|ii|msiexec|cmd|powershell|pwsh|bash|sh|python3?|-file|\/i|\/c)$/i;

/** `iwr … -OutFile a.exe; ./a.exe` */
export function runsFetched(commands: readonly PowerCommand[]): boolean {
  const name = (text: string | undefined): string => (text ?? "").replace(/^\.[\\/]/, "").toLowerCase();
  const files = commands.flatMap(({ words }) =>
    words.flatMap((_, at) =>
      /^-(?:outfile|destination)$/i.test(words[at - 1]?.text ?? "") ? [name(words[at]?.text)] : [],
    ),
  );
  if (files.length === 0) return false;
  return commands.some(({ words }) => files.includes(name(words.find(({ text }) => !STARTS.test(text))?.text)));
}
