import { parseArgs } from "node:util";
import { describe, HookwrightError } from "../core/errors.ts";
import { nearestName } from "../core/text/nearest-name.ts";
import type { CliCommand, CommandContext } from "./command.ts";
import { commands } from "./commands/index.ts";
import { progressOn } from "./terminal/progress.ts";
import { table } from "./terminal/style.ts";
import { joinedParagraphs, wrapped } from "./terminal/wrap.ts";

/** Finds the command, reads its arguments, prints its help or runs it. Returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const progress = progressOn(process.stderr, process.env);
  const printTo = (stream: NodeJS.WriteStream) => (text: string) => {
    progress.clear();
    print(stream, text);
  };
  const io = {
    env: process.env,
    progress: progress.show,
    out: printTo(process.stdout),
    err: printTo(process.stderr),
    ...(process.stdout.isTTY && process.stdout.columns > 0 ? { columns: process.stdout.columns } : {}),
  };
  // A closed pipe, as with `hookwright journal | head`, is no failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
  try {
    return await dispatch(argv, { ...io, cwd: currentFolder() });
  } catch (error) {
    const { systemFailure } = await import("../agents/settings-file.ts");
    const known = error instanceof HookwrightError ? error : systemFailure(error);
    io.err(known ? `hookwright: ${known.message}\n  ${known.fix}  [${known.code}]` : `hookwright: ${describe(error)}`);
    return 1;
  } finally {
    progress.clear();
  }
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new HookwrightError("HW_NO_FOLDER", {}, error);
  }
}

function print(stream: NodeJS.WriteStream, text: string): void {
  stream.write(`${stream.isTTY && stream.columns > 0 ? wrapped(text, stream.columns) : text}\n`);
}

async function dispatch(argv: readonly string[], io: Omit<CommandContext, "args" | "options">): Promise<number> {
  const [name, ...rest] = argv;
  if (name === "help" && rest.length > 0) return dispatch([...rest.slice(0, 1), "--help"], io);
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    io.out(overview());
    return name === undefined ? 1 : 0;
  }
  if (name === "--version" || name === "-v") {
    const { builtVersion } = await import("./installation/current-build.ts");
    io.out(builtVersion().version);
    return 0;
  }
  const command = commands.find((one) => one.name === name);
  if (!command) {
    const nearest = nearestName(
      name,
      commands.map((one) => one.name),
    );
    throw new HookwrightError("HW_UNKNOWN_COMMAND", { name, nearest });
  }
  // The words after `--` belong to another program.
  const own = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  if (own.includes("--help") || own.includes("-h")) {
    io.out(process.stdout.isTTY ? joinedParagraphs(help(command)) : help(command));
    return 0;
  }
  const { values, positionals } = parse(command, rest);
  const context = { ...io, args: positionals, options: values };
  const code = await command.run(context);
  if (code === 0 && command.changes?.(context)) {
    const { recordCommand } = await import("./state/record-command.ts");
    recordCommand(argv, "Run from the command line.", context);
  }
  return code;
}

function parse(command: CliCommand, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: command.options ?? {},
      allowPositionals: command.allowPositionals ?? false,
      strict: true,
    });
  } catch (error) {
    throw new HookwrightError("HW_USAGE", { detail: usageProblem(command, error), command: command.name }, error);
  }
}

function usageProblem(command: CliCommand, error: unknown): string {
  const said = describe(error);
  const [, option] = /^Unknown option '(-[^']*)'/.exec(said) ?? [];
  if (option === undefined) return said;
  if (command.takesCommandLine)
    return `\`${option}\` is not an option of \`hookwright ${command.name}\`. Put the whole command in quotes.`;
  const known = Object.keys(command.options ?? {}).map((name) => `--${name}`);
  return `There is no option \`${option}\`.${nearestName(option, known)}`;
}

function overview(): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  const lines = commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return [
    "hookwright: one hook runtime for coding agents.",
    "",
    "Usage: hookwright COMMAND [OPTIONS]",
    "",
    ...lines,
    "",
    "`hookwright COMMAND --help` explains one command.",
  ].join("\n");
}

export function help(command: CliCommand): string {
  const rows = Object.entries(command.options ?? {}).map(([name, option]) => {
    const value = option.type === "string" ? ` ${option.value ?? "VALUE"}` : "";
    return [`  --${name}${value}`, option.description];
  });
  const options = table(rows);
  return [
    `Usage: hookwright ${command.usage}`,
    "",
    command.summary,
    ...(command.details ? ["", command.details] : []),
    ...(options === "" ? [] : ["", "Options:", options]),
  ].join("\n");
}
