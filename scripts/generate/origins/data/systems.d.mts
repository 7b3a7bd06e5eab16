import type { ParityRow } from "../parity-page.mjs";

/** A test, a difference with its reason, or the reason why a promise does not apply. */
export type Shown =
  | { readonly file: string; readonly names: readonly string[] }
  | { readonly what: string; readonly why: string }
  | { readonly because: string };

export interface PromiseGroup {
  readonly title: string;
  readonly hooks?: readonly string[];
  readonly commands?: readonly string[];
  readonly demands: readonly (readonly [promise: string, ...parts: readonly Shown[]])[];
}

export interface ComparedSystem {
  readonly name: string;
  readonly guide: string;
  /** The hooks and suites that need a row, and how many promises each group has. */
  readonly theirs: string;
  readonly promises: Readonly<Record<string, number>>;
  readonly suites: string;
  readonly rows: {
    readonly hooks: readonly ParityRow[];
    readonly groups: readonly PromiseGroup[];
    readonly suites: readonly { readonly hook: string; readonly cases: number; readonly files: readonly string[] }[];
  };
}

export const THEIRS: Readonly<Record<string, string>>;
export const SYSTEMS: readonly ComparedSystem[];
