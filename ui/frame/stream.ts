import { signal } from "@preact/signals";
import type { DecisionRow, NowPage } from "../../src/daemon/dashboard/api.ts";
import { noteServerTime } from "./clock.ts";

/** The newest state of all sessions; undefined until the server has sent one. */
export const nowPage = signal<NowPage | undefined>(undefined);
/** Since when there is no connection; undefined while there is one. */
export const staleSince = signal<number | undefined>(undefined);

type Listener = (rows: readonly DecisionRow[]) => void;

/** Rows are handed on in batches, so that a busy machine does not draw the page for each of them. */
const BATCH_MS = 250;
const RETRY_MS = 2_000;

const listeners = new Set<Listener>();
let batch: DecisionRow[] = [];
let lastId = "";

/**
 * Calls `listener` with new decisions, the oldest first, until the returned function is called; with none after each
 * connection.
 */
export function decisionsArrived(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The browser connects again by itself and names the last id; only a refused connection is made anew here. */
export function openStream(): void {
  const source = new EventSource(lastId === "" ? "/api/events" : `/api/events?after=${lastId}`);
  source.addEventListener("open", () => {
    staleSince.value = undefined;
    handOn();
  });
  // So much was missed that it is not sent: everything that is shown is in the address.
  source.addEventListener("reset", () => location.reload());
  source.addEventListener("now", (event: MessageEvent<string>) => {
    nowPage.value = JSON.parse(event.data) as NowPage;
    noteServerTime(nowPage.value.at);
  });
  source.addEventListener("decision", (event: MessageEvent<string>) => {
    lastId = event.lastEventId;
    if (batch.length === 0) setTimeout(handOn, BATCH_MS);
    batch.push(JSON.parse(event.data) as DecisionRow);
  });
  source.addEventListener("error", () => {
    staleSince.value ??= Date.now();
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(openStream, RETRY_MS);
  });
}

function handOn(): void {
  const rows = batch;
  batch = [];
  for (const listener of listeners) listener(rows);
}
