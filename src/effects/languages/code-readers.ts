import type { Command, Word } from "../../shell/command.ts";
import { SHELLS } from "../../shell/launch/launchers.ts";
import { readShellArguments } from "../../shell/launch/shell-arguments.ts";
import { INTERPRETERS } from "../line/fetchers.ts";

/** Programs whose own small language can start others. */
const FILTERS = /^(?:[gmn]?awk|sed|gsed|vim?|nvim|ex)$/;
/** Nothing but one substitution or variable: what it brings is the script itself, not a value in one. */
const WHOLE = /^(?:\$\([\s\S]*\)|`[^`]*`|\$\{?[A-Za-z_]\w*\}?)$/;

/** The word that is code: after -c, after eval. */
export function codeWord(command: Command): Word | undefined {
  const { program = "", argv } = command;
  const args = argv.slice(1);
  if (SHELLS.has(program)) return readShellArguments(args).script;
  if (/^(?:eval|iex|invoke-expression)$/i.test(program)) return args.find((word) => !word.known);
  if (program === "exec" || program === "source" || program === ".") return undefined;
  const flag = /^(?:python|pypy)/.test(program) ? /^-\w*c$/ : /^(?:-e|-r|--eval|-p|-c|--command)$/;
  if (FILTERS.test(program))
    return args.find((word, at) => WHOLE.test(word.text) && !/^-[vF]$/.test(args[at - 1]?.text ?? ""));
  if (!INTERPRETERS.test(program)) return undefined;
  const at = args.findIndex((word) => flag.test(word.text));
  return at < 0 ? undefined : args[at + 1];
}

/** Reads a program from its input. */
export function readsCode(command: Command): boolean {
  const { program = "", argv } = command;
  const args = argv.slice(1);
  if (SHELLS.has(program)) {
    const { fromStdin, idle } = readShellArguments(args);
    return fromStdin && !idle;
  }
  if (/^(?:iex|invoke-expression|cmd)$/i.test(program)) return args.length === 0;
  if (program === "source" || program === ".")
    return args[0]?.text === "/dev/stdin" || args[0]?.text === "/proc/self/fd/0";
  if (program === "make" || program === "gmake")
    return args.some(
      ({ text }, at) =>
        /^(?:-f-|--(?:make)?file=-)$/.test(text) ||
        (text === "-f" && /^(?:-|\/dev\/stdin)$/.test(args[at + 1]?.text ?? "")),
    );
  if (program === "parallel") return args.every((word) => word.text.startsWith("-"));
  if (program === "at" || program === "batch") return !args.some((word) => /^-[lrcdf]$/.test(word.text));
  if (!INTERPRETERS.test(program)) return false;
  const [first] = args.filter((word) => !/^-[uBEsSIqW]+$/.test(word.text));
  return (
    !first || first.text === "-" || first.text === "/dev/stdin" || (program === "deno" && args.at(-1)?.text === "-")
  );
}

/** Clients of databases, with the options that say what is done in place of their input. */
const DATABASE_CLIENTS: Readonly<Record<string, RegExp>> = {
  psql: /^(?:-[a-zA-Z]*[cfl]|--(?:command|file|list|help|version)\b)/,
  mysql: /^(?:-[a-zA-Z]*e|--(?:execute|help|version)\b)/,
  mariadb: /^(?:-[a-zA-Z]*e|--(?:execute|help|version)\b)/,
  sqlite3: /^(?:-{1,2}(?:help|version|csv|cmd)$|[^-]*\s)/,
};

/** Lets a database run the statements that it reads from its input. */
export function readsStatements({ program = "", args }: Command): boolean {
  const otherwise = Object.hasOwn(DATABASE_CLIENTS, program) ? DATABASE_CLIENTS[program] : undefined;
  return otherwise !== undefined && !args.some((arg) => arg !== undefined && otherwise.test(arg));
}

/** Files that these programs take from the folder they are started in. */
const IMPLICIT: Readonly<Record<string, readonly string[]>> = {
  make: ["Makefile", "makefile", "GNUmakefile"],
  gmake: ["Makefile", "makefile", "GNUmakefile"],
  rake: ["Rakefile"],
  just: ["justfile", "Justfile"],
  pip: ["setup.py"],
  pip3: ["setup.py"],
};

export function implicitFiles(program: string): readonly string[] {
  return Object.hasOwn(IMPLICIT, program) ? (IMPLICIT[program] ?? []) : [];
}

/** The file that it runs. */
export function fileRun(command: Command): Word | undefined {
  const args = command.argv.slice(1);
  if (command.program === "source" || command.program === ".") return args[0];
  if (SHELLS.has(command.program ?? "")) {
    const reading = readShellArguments(args);
    return reading.script || reading.fromStdin || reading.idle
      ? undefined
      : args.find((word) => !/^[-+]/.test(word.text));
  }
  if (command.program === "cmd")
    return args[args.findIndex(({ text }) => /^\/\/?[ck]$/i.test(text)) + 1 || args.length];
  if (command.program === "start" || command.program === "call") return args.find(({ text }) => !text.startsWith("/"));
  if (/^(?:ansible-playbook|emacs|expect|g?make)$/.test(command.program ?? ""))
    return args.find((word) => word.text.startsWith("<("));
  if (command.program === "go")
    return args[0]?.text === "run" ? args.find((word) => word.text.endsWith(".go")) : undefined;
  if (command.program === "java" && !args.some((word) => word.text === "-jar"))
    return args.find((word) => word.text.endsWith(".java"));
  if (command.program === "java") return args[args.findIndex((word) => word.text === "-jar") + 1 || args.length];
  if (!INTERPRETERS.test(command.program ?? "")) return undefined;
  return args.some((word) => /^-[cem]$/.test(word.text)) ? undefined : args.find((word) => !/^-|^run$/.test(word.text));
}
