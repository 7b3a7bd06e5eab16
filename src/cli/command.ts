import type { ParseArgsOptionsConfig } from "node:util";

/** What every command gets; tests pass their own. */
export interface CommandContext {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The width of the terminal that `out` prints to; missing when a program reads along. */
  readonly columns?: number;
  /** Says in the terminal what a slow command is doing now; the next text that is printed erases it. */
  progress?(step: string): void;
  out(text: string): void;
  err(text: string): void;
}

/** One command of the command line. Help pages are printed from this, so the text lives here only. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly details?: string;
  readonly options?: ParseArgsOptionsConfig & Record<string, { description: string; value?: string }>;
  readonly allowPositionals?: boolean;
  /** One argument is a whole command line, which people forget to put in quotes. */
  readonly takesCommandLine?: boolean;
  /** Does this call change anything that outlives it? Then it is journalled when it succeeds. */
  changes?(context: Pick<CommandContext, "args" | "options">): boolean;
  /** Returns the exit code: 0 ok, 1 failed or wrong usage, 2 blocked. */
  run(context: CommandContext): Promise<number> | number;
}
