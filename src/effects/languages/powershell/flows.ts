import type { Command } from "../../../shell/command.ts";
import type { Effect } from "../../effect.ts";
import { isLocal } from "../../line/addresses.ts";
import { isSecretPath, sends } from "../../line/secrets.ts";
import { type PowerCommand, type PowerWord, powerCommands } from "./words.ts";

/** Programs and cmdlets that bring something from an address. */
export const FETCH =
  /^(?:iwr|irm|invoke-webrequest|invoke-restmethod|curl|wget|start-bitstransfer|certutil|bitsadmin|aria2c)(?:\.exe)?$|download(?:string|data|file)|get(?:string|bytearray|stream)async/;
const RUN = /^(?:iex|invoke-expression)$|scriptblock\]::create/;
const STARTS =
  /^(?:&|\.|start-process|saps|start|invoke-item|ii|import-module|ipmo|msiexec|cmd|powershell|pwsh|bash|sh|python3?|-file|-filepath|-wait|\/i|\/c)$/i;
/** Options of programs and cmdlets before the name of the file that they make. */
const OUTPUT = /^(?:-outfile|-destination|-o|--output)$/i;

function nameOf({ words }: PowerCommand): string {
  return (words[0]?.text ?? "").toLowerCase().replace(/\.exe$/, "");
}

/** Files that the commands bring from the network. */
export function downloadedFiles(commands: readonly PowerCommand[]): readonly string[] {
  return commands.flatMap((one, index) => filesOf(one, commands[index + 1])).filter((file) => !/^\w+:\/\//.test(file));
}

function filesOf(one: PowerCommand, next: PowerCommand | undefined): readonly string[] {
  const { words } = one;
  const name = nameOf(one);
  // (New-Object Net.WebClient).DownloadFile(address, file): the bracket after it is the next command.
  if (/\.downloadfile$/i.test(words.at(-1)?.text ?? "")) return next?.words.slice(1, 2).map(({ text }) => text) ?? [];
  if (!FETCH.test(name)) return [];
  const told = words.flatMap(({ text }, at) => (OUTPUT.test(words[at - 1]?.text ?? "") ? [text] : []));
  const operands = words.slice(1).filter(({ text }) => !/^[-/]/.test(text));
  const isPlain = /^(?:start-bitstransfer|certutil|bitsadmin)$/.test(name) && operands.length > 1;
  return told.length > 0 || !isPlain ? told : [operands.at(-1)?.text ?? ""];
}

/** `iwr … | iex`, `iwr … -OutFile a.exe; ./a.exe`: why that is code of somebody else. */
export function runsFetched(commands: readonly PowerCommand[]): string | undefined {
  const fetches = commands.some(({ words }) =>
    words.some(({ text, quoted }) => !quoted && FETCH.test(text.toLowerCase())),
  );
  if (!fetches) return undefined;
  if (commands.some(runsUnknown)) return "runs what it fetches from the network";
  const plain = (text: string | undefined): string => (text ?? "").replace(/^\.[\\/]/, "").toLowerCase();
  const files = downloadedFiles(commands).map(plain);
  const runs = ({ words }: PowerCommand) => files.includes(plain(words.find(({ text }) => !STARTS.test(text))?.text));
  return files.length > 0 && commands.some(runs) ? "runs a file that it downloaded" : undefined;
}

/** Runs a text that is not written out right there. */
function runsUnknown({ words, piped }: PowerCommand): boolean {
  const at = words.findIndex(({ text, quoted }) => !quoted && RUN.test(text.toLowerCase()));
  const [text, more] = words.slice(at + 1);
  return at >= 0 && (piped || !text?.quoted || more !== undefined || text.names.length > 0 || text.text.includes("$("));
}

const SENDS =
  /^(?:iwr|irm|invoke-webrequest|invoke-restmethod|curl|wget|nc|ncat|send-mailmessage|start-bitstransfer)(?:\.exe)?$|\.(?:upload(?:file|string|data|values)(?:async|taskasync)?|(?:post|put)async)$/i;
/** Commands whose words name files that they make or only look for. */
const WRITES =
  /^(?:set-content|sc|add-content|ac|out-file|tee-object|tee|export-\w+|test-path|new-item|ni|remove-item|ri|rm|del)$/i;
const COPIES = /^(?:copy-item|cpi|cp|copy|move-item|mi|mv|move|compress-archive)$/i;
/** How one logs in, and where an answer goes. */
const NOT_SENT = /^-(?:headers?|credential|certificate|websession|outfile|authentication|token|h)$/i;
const ENVIRONMENT = /^env:[\\/]?\*?$/i;
const WHOLE_ENVIRONMENT = "every variable of the environment";

/** Secrets that a text of PowerShell sends to another machine. */
export function sentByPowerShell(commands: readonly PowerCommand[], home: string, command: Command): readonly Effect[] {
  const held = new Map<string, string>();
  return statementsOf(commands).flatMap((statement) => {
    const sender = statement.find(({ words }) => words.some(({ text, quoted }) => !quoted && SENDS.test(text)));
    const words = statement.flatMap((one, at) => (isLogin(statement, at) ? [] : givenWords(one)));
    const secret = words.map((word) => secretIn(word, held, home)).find((one) => one !== undefined);
    if (secret === undefined) return [];
    const [first, sign] = statement[0]?.words ?? [];
    for (const name of sign && /^\+?=$/.test(sign.text) ? (first?.names ?? []) : []) held.set(`$${name}`, secret);
    if (COPIES.test(statement[0]?.words[0]?.text ?? "")) held.set(words.at(-1)?.text ?? "", secret);
    if (!sender) return [];
    const to = statement.flatMap((one) => one.words).find(({ text }) => /^(?:https?|ftp):/i.test(text))?.text ?? "";
    return isLocal(to) ? [] : [sends(command, secret, to || "another machine")];
  });
}

function statementsOf(commands: readonly PowerCommand[]): readonly (readonly PowerCommand[])[] {
  const found = new Map<number, PowerCommand[]>();
  for (const one of commands) {
    const list = found.get(one.statement);
    if (list) list.push(one);
    else found.set(one.statement, [one]);
  }
  return [...found.values()];
}

/** In the bracket behind such an option: `-Headers @{ … }`. */
function isLogin(statement: readonly PowerCommand[], at: number): boolean {
  const depth = statement[at]?.depth ?? 0;
  const opener = statement.slice(0, at).findLast((one) => one.depth < depth);
  const last = opener?.words.at(-1)?.text === "@" ? opener.words.at(-2) : opener?.words.at(-1);
  return last !== undefined && NOT_SENT.test(last.text);
}

function givenWords(one: PowerCommand): readonly PowerWord[] {
  const { words } = one;
  if (WRITES.test(words[0]?.text ?? "")) return [];
  return words.filter((_, at) => {
    const before = words[at - 1]?.text ?? "";
    return !NOT_SENT.test(before) && !/^\d?>{1,2}$/.test(before) && words[at + 1]?.text !== "=";
  });
}

function secretIn(
  { text, quoted, names }: PowerWord,
  held: ReadonlyMap<string, string>,
  home: string,
): string | undefined {
  if (ENVIRONMENT.test(text)) return WHOLE_ENVIRONMENT;
  const own = held.get(text) ?? names.map((name) => held.get(`$${name}`)).find((one) => one !== undefined);
  if (own !== undefined) return own;
  const file = text.replaceAll("\\", "/").replace(/^[\w.[\]-]*=?@(?=.)/, "");
  if (!/^\w+:\/\//.test(file) && isSecretPath(file)) return file;
  // "…$(Get-Content .env)…"
  const inner = quoted ? [...text.matchAll(/\$\(([^()]*)\)/g)].map(([, code = ""]) => code) : [];
  return inner
    .flatMap((code) => powerCommands(code, home) ?? [])
    .flatMap(givenWords)
    .map((word) => secretIn({ ...word, quoted: false }, held, home))
    .find((one) => one !== undefined);
}
