import type { Command, Word } from "../../../shell/command.ts";
import { readShell } from "../../../shell/shell.ts";
import { type Effect, effect, type Scene } from "../../effect.ts";
import { lineIndex } from "../../line/line-index.ts";

export function everything(command: Command, why: string): Effect {
  return effect("kill-everything", command, why, { instead: "end single processes by their process id" });
}

const LISTED = "ends every process that is listed";
/** A range of numbers that nobody writes for processes of their own. */
const MANY = 1000;

export function kill(command: Command, scene: Scene): readonly Effect[] {
  const { args } = command;
  const [first, second] = args;
  const listing = args.some((arg) => arg === "-l" || arg === "-L" || arg === "--list");
  // Signal 0 only asks whether they are there.
  if (listing || first === "-0" || (first === "-s" && second === "0")) return [];
  const pids = pidsOf(args);
  if (pids.some((pid) => pid === "-1")) return [everything(command, "ends every process it may end")];
  if (pids.some((pid) => pid === "1")) return [everything(command, "ends process 1, which runs the whole system")];
  const unknown = command.argv.filter((word) => !word.known);
  const listed = unknown.flatMap((word) => [word, ...(scene.shell.loops.get(nameIn(word)) ?? [])]);
  if (listed.some(({ text }) => text.includes("/proc") || isWideRange(text))) return [everything(command, LISTED)];
  return takesAll(command, scene, listsAll) ? [everything(command, LISTED)] : [];
}

/** Do its words come from a list of all there are, with nothing left out on the way? */
function takesAll(command: Command, scene: Scene, lists: (source: Command) => boolean): boolean {
  const feeder = startedBy(command, "xargs");
  const sources = [
    ...command.inner,
    ...(feeder ? feedersOf(feeder) : []),
    ...command.argv.flatMap((word) => (word.known ? [] : filledBy(word, scene))),
  ];
  return sources.some(lists) && !sources.some(picks);
}

/** Services that come from a list of all of them. */
export function stopsAllListed(command: Command, scene: Scene): boolean {
  return takesAll(command, scene, listsServices);
}

/** Without a pattern, and whatever state they are in as long as they run. */
function listsServices({ program, args }: Command): boolean {
  if (program !== "systemctl") return false;
  const values = args.filter((arg, at) => !arg?.startsWith("-") && !/^(?:-t|--type|--state)$/.test(args[at - 1] ?? ""));
  const [verb, ...patterns] = values;
  const told = args.join(" ");
  const isNarrowed = /--failed|--state[= ](?!(?:running|active|loaded|enabled)\b)/.test(told);
  const isOther = /(?:-t|--type)[= ]?(?!.*service)/.test(told);
  return (
    /^list-(?:units|unit-files)$/.test(verb ?? "") && patterns.every((one) => one === "*") && !isNarrowed && !isOther
  );
}

/** What fills the variable of a loop: `for p in $(…)`, `… | while read p`. */
function filledBy(word: Word, { shell }: Scene): readonly Command[] {
  const name = nameIn(word);
  const [only, more] = shell.loops.get(name) ?? [];
  const [, modern, old] = /^(?:\$\((.*)\)|`(.*)`)$/s.exec(only?.text ?? "") ?? [];
  const script = modern ?? old;
  if (script !== undefined && more === undefined) return readShell(script).commands;
  return feedersOf(lineIndex(shell).reads.get(name));
}

/** `{1..65535}` */
function isWideRange(text: string): boolean {
  const [, from, to] = /^\{(\d{1,9})\.\.(\d{1,9})\}$/.exec(text) ?? [];
  return Number(to) - Number(from) >= MANY;
}

/** The variable that a word begins with. */
function nameIn({ text }: Word): string {
  return /^\$\{?([A-Za-z_]\w*)/.exec(text)?.[1] ?? "";
}

/** The launcher of that name, however many stand between. */
function startedBy(command: Command, name: string): Command | undefined {
  let at = command.via;
  for (let steps = 0; at && at.program !== name && steps < 10; steps++) at = at.via;
  return at?.program === name ? at : undefined;
}

function listsAll({ program, args }: Command): boolean {
  const [first = "", last] = [args[0], args.at(-1)];
  if (program === "ps") return /^-?[aexA]/.test(first) || args.some((arg) => /^-?[uU](?!x)|^--user/.test(arg ?? ""));
  if (program === "ls" || program === "find") return args.some((arg) => arg === "/proc" || arg === "/proc/");
  if (program === "pidof") return /^(?:systemd|init)$/.test(first);
  if (program === "seq") return Number(last) >= MANY;
  return program === "pgrep" && isBroad(args);
}

/** `pgrep .`, `pgrep -u me`: no name is asked for, or any. */
function isBroad(args: readonly (string | undefined)[]): boolean {
  // All but those it names.
  if (args.some((arg) => arg === "-v" || arg === "--inverse")) return true;
  const words = args.filter((arg, at) => !arg?.startsWith("-") && !/^-[uUGgPst]$/.test(args[at - 1] ?? ""));
  if (words.length === 0) return args.some((arg) => /^-[uU]|^--(?:e?uid|user)/.test(arg ?? ""));
  return words.every((word) => word !== undefined && /^[.^*$+]*$/.test(word));
}

function feedersOf(command: Command | undefined): readonly Command[] {
  const feeders: Command[] = [];
  for (let at = command?.upstream ?? []; at.length > 0 && feeders.length < 100; at = at[0]?.upstream ?? [])
    feeders.push(...at);
  return feeders;
}

/** Any number: all that is named so in /proc. */
const DIGITS = /^\^?(?:\[0-9\]|\[\[:digit:\]\]|\\d)[+*]?\$?$/;

/** Without a condition, or with one for the head of the list or the first process. */
const TAKES_ALL = /^\s*(?:(?:NR|\$\d)\s*(?:>|!=)=?\s*[12]\s*)?(?:\{|$)/;

/** Leaves only some of the lines: grep, or awk with a condition. */
function picks({ program = "", args }: Command): boolean {
  if (/^(?:awk|gawk|mawk)$/.test(program)) return !args.some((arg) => TAKES_ALL.test(arg ?? ""));
  if (program === "tail") return !args.some((arg) => /^\+[12]$/.test(arg ?? "")) && !args.includes("-n+2");
  if (program === "sed") return !args.some((arg) => /^(?:1d|2,\$p)$/.test(arg ?? ""));
  if (program === "pgrep") return !isBroad(args);
  if (program === "find") return args.includes("-user") || args.includes("-newer");
  if (/^e?grep$/.test(program) && args.some((arg) => DIGITS.test(arg ?? ""))) return false;
  return /^(?:grep|egrep|rg|head)$/.test(program);
}

/** The words that name processes: a signal comes first and looks like one. */
function pidsOf(args: readonly (string | undefined)[]): readonly (string | undefined)[] {
  const [first, second] = args;
  if (first === "--") return args.slice(1);
  if (first === "-s" || first === "-n" || first === "--signal") return args.slice(2).filter((arg) => arg !== "--");
  if (first?.startsWith("-") && args.length > 1) return args.slice(second === "--" ? 2 : 1);
  return first === "-1" && args.length === 1 ? [] : args;
}
