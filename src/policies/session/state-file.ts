import { policy } from "../../core/policy.ts";
import type { Sessions } from "../../domain/session/sessions.ts";
import { sessions } from "../../domain/session/store.ts";
import { repairedFile } from "../../domain/session/sync.ts";

export default policy({
  id: "session/state-file",
  summary: "Tells the person when a damaged state file of a session was replaced.",
  why: "A state file that cannot be read is replaced by the recorded state; the person who edited it has to know where the old file is.",
  stage: "recorder",
  messages: {
    repaired:
      "{file} could not be read: {problem}. It was moved to {aside}, and a new file was written from the recorded state.",
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
