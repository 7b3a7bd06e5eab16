/**
 * The shape of a command line as this folder sees it: a small tree that no parser owns. `commands.ts` makes it, the
 * reader walks it.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What stands before a command and joins it to the one before; empty at the beginning. */
export type Connector = "" | ";" | "\n" | "&" | "&&" | "||" | "|" | "|&";

export interface TextPart {
  readonly kind: "text";
  readonly text: string;
  readonly quoted: boolean;
  /** Plain words in a row, of which none needs any expansion; it is the only part then. */
  readonly row?: readonly string[];
}

export interface VariablePart {
  readonly kind: "variable";
  /** As written, for people. */
  readonly text: string;
  readonly quoted: boolean;
  readonly name: string;
  readonly index: Parts | undefined;
  /** `-`, `:-`, `=`, …; `#` for the length; `!` for an indirect one; `other` for what is not followed further. */
  readonly operator: string | undefined;
  readonly operand: Parts;
}

export interface OutputPart {
  readonly kind: "output";
  readonly text: string;
  readonly quoted: boolean;
  readonly script: Script;
  /** `${ …; }` runs in the shell itself, not in a copy. */
  readonly inPlace: boolean;
}

/** A part whose value nobody can know before it runs, with what runs inside it. */
export interface OpaquePart {
  readonly kind: "arithmetic" | "process" | "pattern" | "opaque";
  readonly text: string;
  readonly quoted: boolean;
  readonly inside: Parts;
  readonly script: Script | undefined;
  readonly assigns: readonly string[];
}

export type Part = TextPart | VariablePart | OutputPart | OpaquePart;
export type Parts = readonly Part[];

export interface AssignmentNode {
  readonly name: string;
  readonly append: boolean;
  readonly index: Parts | undefined;
  readonly value: Parts;
  /** Set for `name=(…)`. */
  readonly list: readonly Parts[] | undefined;
  readonly text: string;
}

export interface RedirectNode {
  readonly operator: string;
  readonly fd: number | string | undefined;
  readonly target: Parts | undefined;
  readonly body: Parts | undefined;
}

export interface SimpleNode {
  readonly kind: "simple";
  readonly at: Span;
  readonly words: readonly (Parts | AssignmentNode)[];
  readonly assignments: readonly AssignmentNode[];
  readonly redirects: readonly RedirectNode[];
}

export interface Branch {
  readonly test: Script;
  readonly body: Script;
}

export interface CaseBranch {
  readonly patterns: readonly Parts[];
  readonly body: Script;
  /** Ends in `;&` or `;;&`: the next branch may run as well. */
  readonly falls: boolean;
}

export type Node =
  | SimpleNode
  | { readonly kind: "chain"; readonly items: readonly Node[]; readonly operators: readonly ("&&" | "||")[] }
  | {
      readonly kind: "pipeline";
      readonly items: readonly Node[];
      readonly operators: readonly ("|" | "|&")[];
      readonly negated: boolean;
    }
  | { readonly kind: "subshell" | "group"; readonly body: Script }
  | { readonly kind: "if"; readonly branches: readonly Branch[]; readonly otherwise: Script | undefined }
  | { readonly kind: "while"; readonly until: boolean; readonly test: Script; readonly body: Script }
  | {
      readonly kind: "for" | "select";
      readonly name: string;
      readonly words: readonly Parts[] | undefined;
      readonly body: Script;
    }
  | { readonly kind: "count"; readonly head: Parts; readonly body: Script }
  | { readonly kind: "case"; readonly word: Parts; readonly branches: readonly CaseBranch[] }
  /** `looksFor`: it only asks whether its one word is a file, or whether it is none. */
  | { readonly kind: "test"; readonly words: readonly Parts[]; readonly looksFor?: "file" | "none" }
  | { readonly kind: "function"; readonly name: string; readonly body: Node; readonly at: Span }
  | { readonly kind: "coproc"; readonly name: string | undefined; readonly body: Node }
  | {
      readonly kind: "redirected";
      readonly node: Node;
      readonly redirects: readonly RedirectNode[];
      readonly at: Span;
    };

export interface Statement {
  readonly node: Node;
  readonly joined: Connector;
  readonly background: boolean;
}

export interface Script {
  readonly statements: readonly Statement[];
}

/** More on one line than anyone writes; each costs some time, and the agent waits. */
export const MAX_COMMANDS = 1000;
export const TOO_MANY = "more than 1,000 commands";
/** Of one command that does more than print or store its words. */
export const MAX_WORDS = 4000;
export const TOO_WORDY = "a command with more than 4,000 words";
export const TOO_DEEP = "nested too deeply";

/** An argument is a word, or an assignment that some programs take as one. */
export function isParts(word: Parts | AssignmentNode): word is Parts {
  return Array.isArray(word);
}

/** A text that cannot be read with certainty; its message says why in plain words. */
export class Unreadable extends Error {}
