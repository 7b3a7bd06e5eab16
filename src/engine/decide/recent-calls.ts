import type { AnyEvent } from "../../core/event.ts";

/** More than the calls that a hundred agents run at once. */
const MOST = 256;

/** A cache of calls that were decided lately and are in the journal, so that their report needs no query. */
export class RecentCalls {
  readonly #sessions: string[] = new Array(MOST).fill("");
  readonly #useIds: string[] = new Array(MOST).fill("");
  #next = 0;

  add(event: AnyEvent): void {
    if (event.name !== "tool.before" || event.tool.useId === "") return;
    this.#sessions[this.#next] = event.session;
    this.#useIds[this.#next] = event.tool.useId;
    this.#next = (this.#next + 1) % MOST;
  }

  /** Searches from the latest call on, because most calls are reported soon. */
  has(session: string, useId: string): boolean {
    for (let ago = 1; ago <= MOST; ago++) {
      const at = (this.#next - ago + MOST) % MOST;
      if (this.#useIds[at] === useId && this.#sessions[at] === session) return true;
    }
    return false;
  }
}
