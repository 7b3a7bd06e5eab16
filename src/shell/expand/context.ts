import type { Command, Scope, Word } from "../command.ts";
import type { Connector, Node, Script, Span } from "../parse/syntax.ts";
import type { Flow } from "./flow.ts";
import type { OutputCollector } from "./possible-output.ts";
import type { Env } from "./variables.ts";

/** The position of the reader in the line. */
export interface Context {
  readonly within: readonly Scope[];
  readonly joined: Connector;
  readonly background: boolean;
  readonly negated: boolean;
  readonly via: Command | undefined;
  readonly remote: boolean;
  /** Set inside a string that is a script: the position of the command that starts it. */
  readonly position: Span | undefined;
  /** The functions that are being called, innermost last. */
  readonly calls: readonly { readonly name: string; readonly body: Node }[];
  readonly uncalled: boolean;
  readonly depth: number;
  /** The input: what the previous part of the pipeline prints or may print. */
  readonly stdin: Word | undefined;
  /** The commands of the previous part of the pipeline. */
  readonly upstream: readonly Command[];
  /** Collects the output, when it may become a script. */
  readonly collector?: OutputCollector | undefined;
}

/** A function definition on the line. */
export interface Definition {
  /** The number of commands that were listed before it. */
  readonly at: number;
  readonly name: string;
  readonly body: Node;
  readonly context: Context;
}

/** What is known after success and after failure (undefined where that cannot happen), and the control flow. */
export interface Outcome {
  readonly ok: Env | undefined;
  readonly fail: Env | undefined;
  readonly flow: Flow;
}

export const TOP_LEVEL: Context = {
  within: [],
  joined: "",
  background: false,
  negated: false,
  via: undefined,
  remote: false,
  position: undefined,
  calls: [],
  uncalled: false,
  depth: 0,
  stdin: undefined,
  upstream: [],
};

export function inside(context: Context, scope: Scope, joined: Connector = context.joined): Context {
  return { ...context, within: context.within.concat(scope), joined, stdin: undefined };
}

export interface ReaderOptions {
  readonly parse: (text: string) => Script;
  readonly cwd?: string | undefined;
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Texts of files on disk, by their path relative to `cwd`. */
  readonly files?: ReadonlyMap<string, string> | undefined;
}
