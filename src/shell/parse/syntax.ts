/**
 * The syntax tree of a command line, independent of any parser. `tree.ts` and `literal-lines.ts` build it, the rooms
 * `expand` and `walk` read it.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The operator between a command and the one before it; empty for the first. */
export type Connector = "" | ";" | "\n" | "&" | "&&" | "||" | "|" | "|&";

export interface TextPart {
  readonly kind: "text";
  readonly text: string;
  readonly quoted: boolean;
  /** The text is a run of words, none of which needs expansion; the word has no other part then. */
  readonly wordRun?: readonly string[];
}

export interface VariablePart {
  readonly kind: "variable";
  /** The source text. */
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

/** A part whose value is only known at run time, with the commands that run inside it. */
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
  /** `for ((i = 0; i < n; i++))` */
  | { readonly kind: "count"; readonly head: Parts; readonly body: Script }
  | { readonly kind: "case"; readonly word: Parts; readonly branches: readonly CaseBranch[] }
  /** `[[ … ]]` and `(( … ))`. With `looksFor` it only tests whether its one word is a file, or that it is none. */
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

/** Tests that fail where there is no file, or only an empty one. */
export const FILE_TESTS: ReadonlySet<string> = new Set(["-e", "-f", "-s"]);

/** A limit on work: each command costs time, and the agent waits. Nobody writes so many on one line. */
export const MAX_COMMANDS = 1000;
export const TOO_MANY = "more than 1,000 commands";
/** Of one command, unless it only prints or stores its words. */
export const MAX_WORDS = 4000;
export const TOO_WORDY = "a command with more than 4,000 words";
export const TOO_DEEP = "nested too deeply";

/** An argument is a word, or an assignment as `export` and `declare` take it. */
export function isParts(word: Parts | AssignmentNode): word is Parts {
  return Array.isArray(word);
}

/** Thrown for a text that cannot be read with certainty; the message is shown to people. */
export class Unreadable extends Error {}
