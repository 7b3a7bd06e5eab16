import { policy } from "../../core/policy.ts";
import type { Sessions } from "../../domain/session/records.ts";
import { sessions } from "../../domain/session/store.ts";
import { repairedFile } from "../../domain/session/sync.ts";

export default policy({
  id: "session/state-file",
  summary: "Says when a session's state file had to be written anew.",
  why: "A state file that somebody broke is replaced by what is known; whoever broke it should hear where their change is.",
  stage: "recorder",
  messages: {
    repaired: "{file} could not be read: {problem}. It was moved to {aside} and written anew from what is known.",
  },
  examples: {
    hit: ["a prompt after sessions/X/.state.json was cut in half"],
    pass: ["a prompt while every state file can be read"],
  },
  uses: sessions,
  on: {
    "prompt.submit"(event, ctx, store) {
      const repaired = untold(event.session, store);
      return repaired ? ctx.notice("repaired", repaired) : undefined;
    },
  },
  settled: {
    "prompt.submit"(event, _fate, _ctx, store) {
      const repaired = untold(event.session, store);
      if (repaired) store.setOther(toldKey(event.session), repaired.aside);
    },
  },
});

const toldKey = (session: string): string => `repair-told:${session}`;

function untold(session: string, store: Sessions): ReturnType<typeof repairedFile> {
  const repaired = repairedFile(store);
  return repaired && store.other(toldKey(session)) !== repaired.aside ? repaired : undefined;
}
