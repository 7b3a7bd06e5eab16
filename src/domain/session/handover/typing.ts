import type { Json } from "../../../core/event.ts";
import { isObject } from "../../../core/event.ts";
import type { Ports } from "../../../core/ports.ts";
import { textIn } from "../state.ts";

/** Types a command into the pane an agent runs in, as its person would. */
export const TYPE_JOB = "session/type";

const TMUX_MS = 2_000;

export function typing(pane: string, text: string, isInterrupt: boolean): Json {
  return { pane, text, isInterrupt };
}

/** Throws when tmux did not take it, so that it is tried again. */
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
  // What the agent is doing is given up first, twice as its terminal asks for it.
  if (given.isInterrupt === true) await send("Escape", "Escape");
  // One line: a line break would send half of it.
  await send("-l", text.replace(/[\r\n]+/g, " "));
  await send("Enter");
}
