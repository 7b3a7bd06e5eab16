import type { Command, Scope, Word } from "../command.ts";
import type { Connector, Node, Script, Span } from "../parse/syntax.ts";
import type { Flow } from "./flow.ts";
import type { OutputCollector } from "./possible-output.ts";
import type { Env } from "./variables.ts";

/** Where in the line the reader is. */
export interface Context {
  readonly within: readonly Scope[];
  readonly joined: Connector;
  readonly background: boolean;
  readonly negated: boolean;
  readonly via: Command | undefined;
  readonly remote: boolean;
  /** Set inside a string: positions there mean nothing to whoever wrote the line. */
  readonly fixed: Span | undefined;
  /** Functions being called, innermost last. */
  readonly calls: readonly { readonly name: string; readonly body: Node }[];
  readonly uncalled: boolean;
  readonly depth: number;
  /** What the command before in the pipe prints, where that is certain. */
  readonly stdin: Word | undefined;
  /** The commands before in the pipe. */
  readonly upstream: readonly Command[];
  /** Where what is printed here goes, when it may become a script. */
  readonly prints?: OutputCollector | undefined;
}

/** A function that the line defines. */
export interface Definition {
  /** How many commands were listed before it. */
  readonly at: number;
  readonly name: string;
  readonly body: Node;
  readonly context: Context;
}

/** What is known after something ran well, after it ran badly, and how it may run. */
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
  fixed: undefined,
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
  /** Whether to list what sudo, xargs, `bash -c` and their like start. */
  readonly follow: boolean;
  readonly cwd?: string | undefined;
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Texts of files, by their path from that folder. */
  readonly files?: ReadonlyMap<string, string> | undefined;
}
