import type { ModeMachine } from "../machine.ts";
import { says } from "../signals.ts";

const SIGNAL = "ECOMODE_COMPLETE";

/** Which kind of model is enough for which work. */
export const MODEL_TIERS =
  "Use the smallest model that can do a part: a small one for searches and simple edits, a middle one for ordinary code, the largest only for design and hard errors.";

/** Work with small models. Beside another mode it only adds its model tiers, and that mode decides about the stop. */
export const ecomode: ModeMachine = {
  mode: "ecomode",
  fields: {},
  begin: () => ({}),
  until: () => `a message has \`${SIGNAL}\` alone on a line`,
  guide: (run) =>
    `ecomode is on for this request: ${run.request || "the work at hand"}\n${MODEL_TIERS} When everything is done and verified, write ${SIGNAL} alone on a line.`,
  step(run, { lastMessage }) {
    if (says(lastMessage, SIGNAL)) {
      return { kind: "end", outcome: "done", run, text: `Its signal ${SIGNAL} was given.` };
    }
    const text = `Go on with what is open of: ${run.request || "the work at hand"}. ${MODEL_TIERS} Write ${SIGNAL} alone on a line when nothing is left.`;
    return { kind: "hold", run, text };
  },
  progress: () => "",
};
