import { createInterface } from "node:readline/promises";
import { HookwrightError } from "../core/errors.ts";

export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

export const processTerminal: Terminal = { input: process.stdin, output: process.stdout };

/** Without a terminal nobody can answer, and silence is not consent. */
export async function confirm(question: string, { input, output }: Terminal): Promise<boolean> {
  if (!input.isTTY || !output.isTTY) throw new HookwrightError("HW_NO_TERMINAL");
  const reader = createInterface({ input, output });
  try {
    // At the end of input (Ctrl-D) `question` never settles, so the closing is an answer of its own.
    const closed = new Promise<undefined>((resolve) => reader.once("close", () => resolve(undefined)));
    const answer = await Promise.race([reader.question(`${question} [y/N] `), closed]);
    if (answer === undefined) output.write("\n");
    return answer !== undefined && /^y(es)?$/i.test(answer.trim());
  } finally {
    reader.close();
  }
}
