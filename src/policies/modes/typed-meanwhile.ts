import { policy } from "../../core/policy.ts";
import { cancelRuns } from "../../domain/mode/cancel.ts";
import { MODES, policyOf } from "../../domain/mode/modes.ts";
import { settledFiles } from "../../domain/mode/stop-policy.ts";
import { hasRuns, modeRuns } from "../../domain/mode/store.ts";
import { cancelledRuns, type Heard, hear, remember } from "../../domain/mode/typed-meanwhile/hear.ts";

const TAIL = 512 * 1024;
const ALL = MODES.map(policyOf);

export default policy({
  id: "modes/typed-meanwhile",
  summary:
    "Lets a turn end when the person has typed something that waits for its end, and hears a cancellation in it.",
  why: "The agent keeps a typed `/cancel` until its turn ends, and a mode would keep the turn from ending.",
  origin: "oh-my-claudecode",
  stage: "delegation",
  messages: {
    waits: "The person has typed something that waits for the end of the turn.",
    cancelled: "Cancelled: {modes}.",
  },
  examples: {
    hit: ["a stop while a typed `/cancel` waits", "a stop after `cancel ralph` was typed during a call"],
    pass: ["a stop while nothing waits", "a stop while the report of a background agent waits"],
  },
  uses: modeRuns,
  when: hasRuns,
  on: {
    "turn.stop"(event, ctx, store) {
      if (event.agentId !== "" || event.transcript === "") return undefined;
      const heard = ctx.read.tail(event.transcript, TAIL, hear(store, event.session));
      if (!heard) return undefined;
      const modes = cancelledRuns(heard, store.of(event.session)).map(({ mode }) => mode);
      if (modes.length === 0) return heard.isNew ? ctx.release("waits", ALL) : undefined;
      const data = { modes: modes.join(", ") };
      return [ctx.release("cancelled", modes.map(policyOf), data), ctx.notice("cancelled", data)];
    },
  },
  settled: {
    "turn.stop"(event, _fate, ctx, store) {
      if (event.agentId !== "" || event.transcript === "") return;
      const heard = ctx.looked.tail<Heard>(event.transcript);
      if (!heard) return;
      cancelRuns(store, settledFiles(ctx), cancelledRuns(heard, store.of(event.session)), ctx.now());
      if (heard.cancels.some(({ modes }) => modes.length === 0)) ctx.session.cancelHolds();
      // A prompt that waits counts for one stop that passed: should the agent have lost it, later stops are held again.
      remember(store, event.session, ctx.outcome === "hold" ? { ...heard, waiting: "" } : heard);
    },
  },
});
