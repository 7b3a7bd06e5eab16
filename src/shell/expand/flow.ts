import type { Command } from "../command.ts";
import type { Switch } from "./variables.ts";

/**
 * How a command may leave the straight way.
 * - exit: ends its shell with a status nobody knows; fail: may end it, and only with a failure
 * - return, break: leaves the function or the loop
 */
export type Escape = "none" | "fail" | "exit" | "return" | "break";

/** The control flow of a line, reduced to what its exit status can tell about its commands. */
export type Flow =
  | {
      readonly kind: "command";
      readonly command: Command;
      /** Substitutions in its words, run before it. */
      readonly before: readonly Flow[];
      /** What it starts. */
      readonly inner: Flow | undefined;
      /** Its status is that of `inner`. */
      readonly passes: boolean;
      /** `inner` runs inside the same shell and surely so once the command is reached. */
      readonly inPlace: boolean;
      readonly escape: Escape;
      /** The exit status, where the command has no other choice. */
      readonly fixed: boolean | undefined;
      /** It may be reached and still not start, because a redirection fails first. */
      readonly risky: boolean;
      /** Or because an expansion does, which ends the shell as well. */
      readonly fragile: boolean;
      /** A bare assignment whose status is that of its only substitution. */
      readonly statusOfBefore: boolean;
    }
  | { readonly kind: "sequence"; readonly items: readonly Flow[]; readonly errexit: readonly Switch[] }
  | { readonly kind: "chain"; readonly items: readonly Flow[]; readonly operators: readonly ("&&" | "||")[] }
  | { readonly kind: "not"; readonly item: Flow }
  | { readonly kind: "pipeline"; readonly items: readonly Flow[]; readonly pipefail: Switch }
  /** A process of its own: what ends it does not end the line. */
  | { readonly kind: "shell"; readonly item: Flow }
  | {
      readonly kind: "if";
      readonly branches: readonly { readonly test: Flow; readonly body: Flow }[];
      readonly otherwise: Flow | undefined;
    }
  /** Any of these, any number of times, in any order. */
  | { readonly kind: "maybe"; readonly items: readonly Flow[]; readonly absorbs: "return" | "break" | "all" | "none" }
  /** A compound command that runs only when its redirections work. */
  | { readonly kind: "redirected"; readonly command: Flow; readonly item: Flow; readonly risky: boolean }
  /** `[[ … ]]`, `(( … ))`, a definition: nothing is started. */
  | { readonly kind: "nothing"; readonly before: readonly Flow[]; readonly risky: boolean };

export const NOTHING: Extract<Flow, { kind: "nothing" }> = { kind: "nothing", before: [], risky: false };

export function sequence(items: readonly Flow[], errexit: readonly Switch[] = []): Flow {
  return { kind: "sequence", items, errexit };
}

/** What stands inside `$(…)`: how it runs, and what it prints where that is certain. */
export interface Output {
  readonly flow: Flow;
  readonly text: string | undefined;
  /** What it may be. */
  readonly maybe?: string | undefined;
}
