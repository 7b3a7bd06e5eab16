import type { PersonAnswer } from "../../core/policy.ts";
import type { Ports } from "../../core/ports.ts";
import { closeRequest, standingOf } from "../../state/waiting/permission-requests.ts";
import type { StateFile } from "../record/state-file.ts";

/** A client that can be told to wait longer for its answer than the deadline in its frame says. */
export interface WaitingClient {
  /** Tells it for how many milliseconds from now. */
  wait(ms: number): void;
  /** Does nobody wait any more? */
  isGone(): boolean;
}

export interface Wait {
  readonly request: number;
  readonly client: WaitingClient;
  readonly until: number;
  /** The process of the agent; 0 when it is not known. */
  readonly agent: number;
}

/** How often the answer is looked for: a person does not notice this much. */
const LOOK_MS = 200;
/** The client waits a little longer than the request is open, so that it hears of the end. */
const LONGER_MS = 2_000;
const BUSY_MS = 1_000;

/**
 * What the person answers, or undefined when the wait ends without an answer. It holds no lock, no transaction and no place
 * in a queue: other processes write the answer, and other events of the session are decided meanwhile.
 */
export async function waitForAnswer(
  { request, client, until, agent }: Wait,
  state: StateFile,
  { now, isAlive }: Pick<Ports, "now" | "isAlive">,
): Promise<PersonAnswer | undefined> {
  client.wait(until - now() + LONGER_MS);
  // A process that cannot be seen from here, as in another container, says nothing.
  const hasAgent = agent > 0 && isAlive(agent);
  /** False when the database is busy: then it is tried again. */
  const end = (how: "gone" | "expired"): Promise<boolean> =>
    state.use(now() + BUSY_MS, async ({ db }) => !!db.transaction(() => closeRequest(db, request, how)));
  for (;;) {
    const standing = await state.use(now() + BUSY_MS, async ({ db }) => standingOf(db, request));
    if (standing?.state === "answered") return standing.answer;
    if (standing?.state !== "open") return undefined;
    const isGone = client.isGone() || (hasAgent && !isAlive(agent));
    if ((isGone || now() >= until) && (await end(isGone ? "gone" : "expired"))) return undefined;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
