import { posix } from "node:path";
import { knownWord, type Word } from "../command.ts";
import { type OptionSpec, readOptions } from "../options.ts";
import { type Launch, OTHER_STATUS } from "./launch.ts";

/** The text of a file that the line itself has written. */
export type WrittenText = (word: Word | undefined) => Word | undefined;

interface TaskRunner {
  /** Its options before the task. */
  readonly options: OptionSpec;
  readonly folder: string;
  /** Names of the task file; the first one that exists is used. */
  readonly files: readonly string[];
  /** Options that name another task file. */
  readonly file?: string;
  /** Options with which nothing is run. */
  readonly idle?: string;
  readonly lines: (text: string, tasks: readonly string[]) => readonly string[];
}

const MAKE: TaskRunner = {
  options: {
    short: "bmBC:def:hiI:j::kl::L:no:O::pqrRsStvwW:",
    long: "directory: file: makefile: jobs:: dry-run just-print recon question always-make silent quiet keep-going",
  },
  folder: "C directory",
  files: ["GNUmakefile", "makefile", "Makefile"],
  file: "f file makefile",
  idle: "n dry-run just-print recon q question p h",
  lines: (text, tasks) => recipeLines(withMakeVariables(text), tasks, /^\t/),
};
const JUST: TaskRunner = {
  options: { short: "d:f:nlqsuvh", long: "working-directory: justfile: dry-run list show: summary set: dotenv-path:" },
  folder: "d working-directory",
  files: ["justfile", "Justfile", ".justfile"],
  file: "f justfile",
  idle: "n dry-run l list s show summary h",
  lines: (text, tasks) => recipeLines(text.replace(/\{\{\s*(\w+)\s*\}\}/g, "$$$1"), tasks, /^[ \t]/),
};

const RUNNERS: ReadonlyMap<string, TaskRunner> = new Map([
  ["make", MAKE],
  ["gmake", MAKE],
  ["just", JUST],
]);
const SCRIPT_RUNNERS: ReadonlySet<string> = new Set(["npm", "pnpm", "yarn", "bun"]);
export const TASK_RUNNERS: readonly string[] = [...RUNNERS.keys(), ...SCRIPT_RUNNERS];

/** The lines that `make`, `just` or `npm run` runs, if the line itself has written the task file. */
export function writtenTasks(program: string, args: readonly Word[], written: WrittenText): readonly Launch[] {
  if (SCRIPT_RUNNERS.has(program)) return packageScript(args, written);
  const runner = RUNNERS.get(program);
  if (!runner) return [];
  const options = readOptions(args, runner.options, true);
  const value = (names: string | undefined): Word | undefined =>
    names
      ?.split(" ")
      .map((name) => options.given.get(name)?.at(-1))
      .find((word) => word !== undefined);
  if (runner.idle?.split(" ").some((name) => options.given.has(name))) return [];
  const folder = value(runner.folder)?.text ?? "";
  const named = value(runner.file);
  const files = named === undefined ? runner.files : [named.text];
  const found = files.map((file) => written(knownWord(posix.join(folder, file)))).find((one) => one !== undefined);
  // `make -f <(…)` has no file name.
  const text = named?.known === false ? written(named) : found;
  if (!text) return [];
  const tasks = options.operands.map((word) => word.text).filter((task) => !task.includes("="));
  const place = folder === "" ? undefined : knownWord(folder);
  return runner
    .lines(text.shape ?? text.text, tasks)
    .map((line) => ({ ...OTHER_STATUS, script: asScript(line), args: undefined, folder: place }));
}

interface Task {
  /** The tasks that run before it. */
  readonly needs: readonly string[];
  readonly lines: string[];
}

const HEADER = /^([^\s:#=][^:=#]*):(?![:=])([^=]*)$/;
const MAX_TASKS = 50;

/** The lines that run for these tasks and for the tasks that they need. */
function recipeLines(text: string, wanted: readonly string[], indented: RegExp): readonly string[] {
  const tasks = new Map<string, Task>();
  let first: string | undefined;
  let current: readonly Task[] = [];
  for (const line of text.replaceAll("\\\n", " ").split("\n")) {
    if (indented.test(line)) {
      const command = line.trim().replace(/^[@+-]+/, "");
      for (const task of current) if (command !== "") task.lines.push(command);
      continue;
    }
    const [, names, rest = ""] = HEADER.exec(line) ?? [];
    if (names === undefined) continue;
    const [needs = "", ...inline] = rest.split(";");
    // After the name a justfile has parameters, and a makefile may have further names.
    const headers = names.trim().split(/\s+/);
    current = headers.map((name) => {
      const task: Task = {
        needs: needs.split(/\s+/).filter(Boolean),
        lines:
          inline.length > 0
            ? [
                inline
                  .join(";")
                  .trim()
                  .replace(/^[@+-]+/, ""),
              ]
            : [],
      };
      tasks.set(name.replace(/^@/, ""), task);
      if (!name.startsWith(".")) first ??= name.replace(/^@/, "");
      return task;
    });
  }
  const todo = new Set(wanted.length > 0 ? wanted : first === undefined ? [] : [first]);
  const lines: string[] = [];
  for (const name of todo) {
    if (todo.size > MAX_TASKS) break;
    const task = tasks.get(name);
    for (const need of task?.needs ?? []) todo.add(need);
    lines.push(...(task?.lines ?? []));
  }
  return lines;
}

/** Expands `$(NAME)`, a variable of the makefile, and `$$`, a dollar sign for the shell. */
function withMakeVariables(text: string): string {
  const values = new Map<string, string>();
  for (const [, name = "", value = ""] of text.matchAll(/^([A-Za-z_]\w*)\s*[:?+]?=\s*(.*)$/gm)) values.set(name, value);
  return text.replace(/\$(?:\$|[({](\w+)[)}])/g, (_, name: string | undefined) =>
    name === undefined ? "$" : (values.get(name) ?? `\${${name}}`),
  );
}

const PACKAGE_OPTIONS: OptionSpec = {
  short: "sC:w:F:",
  long: "prefix: silent workspace: dir: cwd: filter: if-present",
};

/** `npm run x`, `yarn x`, `npm test`, and `npm install` with its scripts before and after. */
function packageScript(args: readonly Word[], written: WrittenText): readonly Launch[] {
  const { operands, given } = readOptions(args, PACKAGE_OPTIONS, false);
  const folder = ["prefix", "C", "dir", "cwd"].flatMap((one) => given.get(one) ?? []).at(-1);
  const [verb, task] = operands.map((word) => word.text);
  const runs = verb === "run" || verb === "run-script" || verb === "rum" || verb === "urn";
  const name = runs ? task : verb === "t" || verb === "tst" ? "test" : verb;
  if (name === undefined || name.startsWith("-")) return [];
  const file = written(knownWord(folder ? posix.join(folder.text, "package.json") : "package.json"));
  const scripts = [`pre${name}`, name, `post${name}`].flatMap((one) => {
    const own = folder ? undefined : written(scriptPlace(one));
    return (own ? (own.shape ?? own.text) : scriptIn(file, one)) ?? [];
  });
  return scripts.map((script) => ({ ...OTHER_STATUS, script: asScript(script), args: undefined, folder }));
}

/** The name under which `Scripts` stores a script that `npm pkg set` writes. */
export function scriptPlace(name: string): Word {
  return knownWord(`package.json#${name}`);
}

function scriptIn(file: Word | undefined, name: string): string | undefined {
  const text = file?.shape ?? file?.text;
  if (text === undefined || !text.includes('"scripts"')) return undefined;
  return scriptsIn(text).get(name);
}

/** The scripts of a package.json, which is not parsed as JSON since it may contain placeholders. */
function scriptsIn(text: string): ReadonlyMap<string, string> {
  const [, body = ""] = /"scripts"\s*:\s*\{([^{}]*)\}/.exec(text) ?? [];
  const pairs = body.matchAll(/"((?:[^"\\]|\\.)*)"\s*:\s*"((?:[^"\\]|\\.)*)"/g);
  return new Map([...pairs].map(([, name = "", script = ""]) => [name, script.replace(/\\(["\\/])/g, "$1")]));
}

function asScript(text: string): Word {
  return /[\uf000-\uf0ff]/.test(text) ? { text, known: false, shape: text } : knownWord(text);
}
