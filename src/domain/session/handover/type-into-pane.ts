import type { Json } from "../../../core/event.ts";
import { isObject } from "../../../core/event.ts";
import type { Ports } from "../../../core/ports.ts";
import { textIn } from "../state.ts";

/** The name of the job that types a command into an agent's tmux pane. */
export const TYPE_JOB = "session/type";

const TMUX_MS = 2_000;

export function typeJobArgs(pane: string, text: string, isInterrupt: boolean): Json {
  return { pane, text, isInterrupt };
}

/** Throws when tmux did not accept the keys, so that the job is retried. */
export async function typeInto(
  args: Json,
  ports: Pick<Ports, "run">,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const given = isObject(args) ? args : {};
  const [pane, text] = [textIn(given, "pane"), textIn(given, "text")];
  const send = async (...keys: string[]): Promise<void> => {
    const { code } = await ports.run("tmux", ["send-keys", "-t", pane, ...keys], { ...env }, TMUX_MS);
    if (code !== 0) throw new Error(`tmux did not take the keys for ${pane}`);
  };
  // Interrupts the agent first; its terminal needs Escape twice.
  if (given.isInterrupt === true) await send("Escape", "Escape");
  // Sent as one line, because a line break would submit the first part.
  await send("-l", text.replace(/[\r\n]+/g, " "));
  await send("Enter");
}
