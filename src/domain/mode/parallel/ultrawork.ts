import type { ModeMachine } from "../machine.ts";
import { says } from "../signals.ts";

const SIGNAL = "ULTRAWORK_COMPLETE";

/** Work in parallel until everything is done. */
export const ultrawork: ModeMachine = {
  mode: "ultrawork",
  fields: {},
  begin: () => ({}),
  until: () => `a message has \`${SIGNAL}\` alone on a line`,
  guide: (run) =>
    [
      `ultrawork is on for this request: ${run.request || "the work at hand"}`,
      "Run independent parts in parallel, long commands in the background, and suitable parts in subagents. Keep a list of",
      `what is open. When everything is done and verified, write ${SIGNAL} alone on a line.`,
    ].join("\n"),
  step(run, { lastMessage }) {
    if (says(lastMessage, SIGNAL)) {
      return { kind: "end", outcome: "done", run, text: `Its signal ${SIGNAL} was given.` };
    }
    const text = `Go on with what is open of: ${run.request || "the work at hand"}. Run independent parts in parallel, verify what was done, and write ${SIGNAL} alone on a line when nothing is left.`;
    return { kind: "hold", run, text };
  },
  progress: () => "",
};
