import { createInterface } from "node:readline/promises";
import { HookwrightError } from "../core/errors.ts";

export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

export const processTerminal: Terminal = { input: process.stdin, output: process.stdout };

/** Without a terminal nobody can answer, and silence is not consent. */
export function requireTerminal({ input, output }: Terminal): void {
  if (!input.isTTY || !output.isTTY) throw new HookwrightError("HW_NO_TERMINAL");
}

export async function confirm(question: string, terminal: Terminal): Promise<boolean> {
  requireTerminal(terminal);
  const reader = createInterface({ input: terminal.input, output: terminal.output });
  try {
    // At the end of input (Ctrl-D) `question` never settles, so the closing is an answer of its own.
    const closed = new Promise<string>((resolve) => reader.once("close", () => resolve("")));
    const answer = await Promise.race([reader.question(`${question} [y/N] `), closed]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    reader.close();
  }
}
