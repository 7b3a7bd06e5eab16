import type { EventOf } from "../../core/event.ts";
import type { Fate, MessageData, SettledContext } from "../../core/policy.ts";
import type { Told, ToldKind } from "./told.ts";

type Remembered = "instructions.loaded" | "compact.after" | "session.start";

type Handler<N extends Remembered> = (
  event: EventOf<N>,
  fate: Fate,
  ctx: Pick<SettledContext, "looked">,
  store: Told,
) => void;

/** What each policy that tells texts of files remembers and forgets, beside what it tells. */
export function sharedMemory(kinds: readonly ToldKind[]): { readonly [N in Remembered]: Handler<N> } {
  return {
    "instructions.loaded": (event, _fate, ctx, store) => store.addLoaded(ctx.looked.realPath(event.file)),
    // After a compaction the agent does not know the texts any more.
    "compact.after": (event, _fate, _ctx, store) => store.forget(event.agentId, kinds),
    "session.start"({ source, agentId }, _fate, _ctx, store) {
      if (source === "compact" || source === "clear") store.forget(agentId, kinds);
    },
  };
}

/** A list that a policy kept in the data of its message. */
export function listIn(data: MessageData | undefined, name: string): string[] {
  const json = data?.[name];
  return json === undefined ? [] : (JSON.parse(String(json)) as string[]);
}
