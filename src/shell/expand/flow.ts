import type { Command } from "../command.ts";
import type { Switch } from "./variables.ts";

/**
 * How a command may end more than itself.
 * - exit: ends its shell with an unknown status; fail: may end its shell, and only with a failure
 * - return, break: leaves the function or the loop
 */
export type Escape = "none" | "fail" | "exit" | "return" | "break";

/** The control flow of a line, reduced to what the exit status of the line can prove about its commands. */
export type Flow =
  | {
      readonly kind: "command";
      readonly command: Command;
      /** Substitutions in its words, run before it. */
      readonly before: readonly Flow[];
      /** The flow of what it starts. */
      readonly inner: Flow | undefined;
      /** Its status is that of `inner`. */
      readonly passesStatus: boolean;
      /** `inner` runs in the same shell, and surely does once the command is reached. */
      readonly inPlace: boolean;
      readonly escape: Escape;
      /** The exit status, if it is always the same. */
      readonly status: boolean | undefined;
      /** A redirection may fail, and then the command does not start. */
      readonly risky: boolean;
      /** An expansion may fail. Then the command does not start, and the shell ends. */
      readonly fragile: boolean;
      /** An assignment without a command, whose status is that of its only substitution. */
      readonly statusOfBefore: boolean;
    }
  | { readonly kind: "sequence"; readonly items: readonly Flow[]; readonly errexit: readonly Switch[] }
  | { readonly kind: "chain"; readonly items: readonly Flow[]; readonly operators: readonly ("&&" | "||")[] }
  | { readonly kind: "not"; readonly item: Flow }
  | { readonly kind: "pipeline"; readonly items: readonly Flow[]; readonly pipefail: Switch }
  /** A separate process: its end does not end the line. */
  | { readonly kind: "shell"; readonly item: Flow }
  | {
      readonly kind: "if";
      readonly branches: readonly { readonly test: Flow; readonly body: Flow }[];
      readonly otherwise: Flow | undefined;
    }
  /** Any of these, any number of times, in any order. */
  | { readonly kind: "maybe"; readonly items: readonly Flow[]; readonly absorbs: "return" | "break" | "all" | "none" }
  /** A compound command, which only runs if its redirections succeed. */
  | { readonly kind: "redirected"; readonly command: Flow; readonly item: Flow; readonly risky: boolean }
  /** `[[ … ]]`, `(( … ))` or a function definition: it starts nothing. */
  | { readonly kind: "nothing"; readonly before: readonly Flow[]; readonly risky: boolean };

export const NOTHING: Extract<Flow, { kind: "nothing" }> = { kind: "nothing", before: [], risky: false };

export function sequence(items: readonly Flow[], errexit: readonly Switch[] = []): Flow {
  return { kind: "sequence", items, errexit };
}

/** The result of reading a command substitution. */
export interface SubstitutionResult {
  readonly flow: Flow;
  /** The output, where it is certain. */
  readonly text: string | undefined;
  /** A possible output. */
  readonly maybe?: string | undefined;
}
