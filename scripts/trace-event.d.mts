export interface EnteredFunction {
  readonly name: string;
  /** From the root of the checkout: `src/engine/cold.ts`. */
  readonly file: string;
  readonly line: number;
  readonly isCallback: boolean;
  readonly calls: number;
}

export interface FileSwitch {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  readonly calls: readonly { readonly caller: string; readonly callee: string; readonly count: number }[];
}

export interface EventTrace {
  readonly reply: { readonly exit: number; readonly stdout: string; readonly stderr: string };
  readonly functions: readonly EnteredFunction[];
  readonly files: readonly string[];
  readonly switches: readonly FileSwitch[];
  readonly total: number;
  readonly withoutCallbacks: number;
}

export function traceEvent(options?: {
  readonly event?: "session-start" | "pre-tool-use" | "stop";
  readonly root?: string;
}): Promise<EventTrace>;
