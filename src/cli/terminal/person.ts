import { createInterface } from "node:readline/promises";
import type { Terminal } from "./confirm.ts";

/** Agents set one of these for every command they run. An empty value counts as set. */
const AGENT_VARIABLES = ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "AI_AGENT"];

/**
 * Why this command may not run here; undefined when a person runs it in a terminal. Such commands have no option that
 * replaces the person's answer.
 */
export function refusalUnlessPerson(command: string, env: NodeJS.ProcessEnv, terminal: Terminal): string | undefined {
  const variable = AGENT_VARIABLES.find((name) => env[name] !== undefined);
  const where = `Nothing was changed. A person can run \`hookwright ${command}\` in a terminal.`;
  if (variable !== undefined) {
    return `hookwright ${command}: only a person may do this, and an agent is running it (${variable} is set). ${where}`;
  }
  if (!terminal.input.isTTY || !terminal.output.isTTY) {
    return `hookwright ${command}: only a person may do this, and there is no terminal. ${where}`;
  }
  return undefined;
}

/** True when exactly this word was typed. The end of input (Ctrl-D) means no. */
export async function confirmByTypedWord(
  word: string,
  question: string,
  { input, output }: Terminal,
): Promise<boolean> {
  const reader = createInterface({ input, output });
  try {
    const closed = new Promise<undefined>((resolve) => reader.once("close", () => resolve(undefined)));
    const answer = await Promise.race([
      reader.question(`${question}${question.endsWith("\n") ? "" : " "}Type \`${word}\` to continue: `),
      closed,
    ]);
    if (answer === undefined) output.write("\n");
    return answer?.trim() === word;
  } finally {
    reader.close();
  }
}
