import { createInterface, type Interface } from "node:readline";
import { HookwrightError } from "../../core/errors.ts";

export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

export const processTerminal: Terminal = { input: process.stdin, output: process.stdout };

export function isInteractive({ input, output }: Terminal): boolean {
  return input.isTTY === true && output.isTTY === true;
}

export interface Questions {
  /** Returns the typed line; undefined at the end of input (Ctrl-D). Throws when there is no terminal. */
  ask(question: string): Promise<string | undefined>;
  close(): void;
}

/** One reader for all questions of a command, because a new reader would lose lines that were typed ahead. */
export function openQuestions(terminal: Terminal): Questions {
  const { input, output } = terminal;
  const typed: string[] = [];
  let reader: Interface | undefined;
  let isOver = false;
  let answer: ((line: string | undefined) => void) | undefined;
  const open = (): Interface => {
    const opened = createInterface({ input, output });
    const give = (line: string | undefined): void => {
      const waiting = answer;
      // Several lines may arrive at once; each answers one question.
      answer = undefined;
      waiting?.(line);
    };
    opened.on("line", (line) => (answer ? give(line) : typed.push(line)));
    opened.on("close", () => {
      isOver = true;
      if (answer) output.write("\n");
      give(undefined);
    });
    return opened;
  };
  return {
    async ask(question) {
      if (!isInteractive(terminal)) throw new HookwrightError("HW_NO_TERMINAL");
      reader ??= open();
      if (isOver || typed.length > 0) {
        output.write(`${question}\n`);
        return typed.shift();
      }
      reader.setPrompt(question);
      reader.prompt();
      return new Promise<string | undefined>((resolve) => {
        answer = resolve;
      });
    },
    close: () => reader?.close(),
  };
}

/** An empty answer means no. */
export async function isConfirmed(question: string, questions: Questions): Promise<boolean> {
  const answer = await questions.ask(`${question} [y/N] `);
  return answer !== undefined && /^y(es)?$/i.test(answer.trim());
}

export async function confirm(question: string, terminal: Terminal): Promise<boolean> {
  const questions = openQuestions(terminal);
  try {
    return await isConfirmed(question, questions);
  } finally {
    questions.close();
  }
}
