import type { Board } from "../../../domain/board/board.ts";
import type { CommandContext } from "../../command.ts";
import type { SwarmParts } from "./run.ts";
import { changeJson, changeText, countsOf, countsText } from "./show.ts";

/** Prints new changes of the board until the signal. */
export async function watchBoard(
  board: Board,
  { options, out, pollMs, signal }: Pick<CommandContext, "options" | "out"> & Omit<SwarmParts, "now">,
): Promise<void> {
  const overview = await board.overview();
  const { sequence } = overview;
  if (options.json) out(JSON.stringify({ sequence, counts: countsOf(overview) }));
  else out(`${countsText(overview)}. Changes follow; Ctrl-C ends this.`);
  for (let last = sequence; !signal.aborted; ) {
    await pause(pollMs, signal);
    // Prints once more after the signal, so that no change before the signal is missing.
    for (const change of await board.changesAfter(last)) {
      out(options.json ? JSON.stringify(changeJson(change)) : changeText(change));
      last = change.sequence;
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
