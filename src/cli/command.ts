import type { ParseArgsOptionsConfig } from "node:util";

/** The context that every command runs in; tests pass their own. */
export interface CommandContext {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The width of the terminal that `out` prints to; missing when the output is read by a program. */
  readonly columns?: number;
  /** Shows in the terminal what a slow command is doing; the next printed text erases it. */
  progress?(step: string): void;
  out(text: string): void;
  err(text: string): void;
}

/** One command of the command line. Help pages are printed from this, so the text lives here only. */
export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly details?: string;
  /** The words that may stand first after the name, where `usage` has no room for them. */
  readonly words?: readonly string[];
  readonly options?: ParseArgsOptionsConfig & Record<string, { description: string; value?: string }>;
  readonly allowPositionals?: boolean;
  /** One argument is a whole command line; the usage error then reminds of the quotes. */
  readonly takesCommandLine?: boolean;
  /** Does this call change anything permanently? Then it is journalled when it succeeds. */
  changes?(context: Pick<CommandContext, "args" | "options">): boolean;
  /** Returns the exit code: 0 ok, 1 failed or wrong usage, 2 blocked. */
  run(context: CommandContext): Promise<number> | number;
}
