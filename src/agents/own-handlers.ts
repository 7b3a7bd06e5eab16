import path from "node:path";

/** A program with its arguments, as an agent's settings name it. */
export interface CommandHandler {
  readonly command: string;
  readonly args: readonly string[];
}

export type IsOwnHandler = (handler: CommandHandler) => boolean;

/** The command of a shared file, which cannot name a private path. */
export const SHARED_CLIENT: CommandHandler = { command: "hookwright", args: ["hook"] };

/** Recognises our own entries: those whose client is in a version folder below `versions`, and the shared command. */
export function ownHandlersUnder(versions: string): IsOwnHandler {
  const isClient = (file: string | undefined, name: string): boolean => {
    if (file === undefined || !path.isAbsolute(file)) return false;
    const [folder, last, ...rest] = path.relative(versions, file).split(path.sep);
    return folder !== undefined && folder !== "" && folder !== ".." && last === name && rest.length === 0;
  };
  return ({ command, args }) =>
    isClient(command, "hook") ||
    isClient(args[0], "hook.cjs") ||
    (command === SHARED_CLIENT.command &&
      args[0] === SHARED_CLIENT.args[0] &&
      args.some((arg) => arg === "--via" || arg.startsWith("--via=")));
}

/** A command line for agents that give it to a shell: every word that needs it stands in single quotes. */
export function shellLine({ command, args }: CommandHandler): string {
  return [command, ...args].map((word) => (/^[\w./:=,@%+-]+$/.test(word) ? word : quoted(word))).join(" ");
}

/**
 * The same for an agent that takes a missing program for a denial: then nothing happens. The shell becomes the program,
 * so that the program's parent is the agent, whose life we follow.
 */
export function shellLineIfThere(handler: CommandHandler): string {
  return `command -v ${shellLine({ ...handler, args: [] })} >/dev/null || exit 0; exec ${shellLine(handler)}`;
}

const IF_THERE = /^command -v .+? >\/dev\/null \|\| exit 0; exec /;

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The program and the arguments of a handler in an agent's settings; undefined for what is none. */
export function commandWords(value: unknown): CommandHandler | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const line = "command" in value ? value.command : "bash" in value ? value.bash : undefined;
  if (typeof line !== "string") return undefined;
  const args: unknown = "args" in value ? value.args : undefined;
  if (args === undefined) {
    const [command = "", ...rest] = wordsOf(line.replace(IF_THERE, ""));
    return { command, args: rest };
  }
  return Array.isArray(args) ? { command: line, args: args.filter((arg) => typeof arg === "string") } : undefined;
}

/** The words of a line that `shellLine` has written; of another line at least its first words. */
function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/(?:'[^']*'|\\.|[^\s'\\])+/g)];
  return words.map(([word]) =>
    word.replace(/'([^']*)'|\\(.)/g, (_all, inner?: string, one?: string) => inner ?? one ?? ""),
  );
}
