import type { AnyEvent } from "../../core/event.ts";

/** More calls than a hundred agents have under way at once. */
const MOST = 256;

/** The calls that a guard was asked about lately and whose entry is in the journal, so that nobody has to look there. */
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

  /** From the latest on: most calls are reported soon. */
  has(session: string, useId: string): boolean {
    for (let ago = 1; ago <= MOST; ago++) {
      const at = (this.#next - ago + MOST) % MOST;
      if (this.#useIds[at] === useId && this.#sessions[at] === session) return true;
    }
    return false;
  }
}
