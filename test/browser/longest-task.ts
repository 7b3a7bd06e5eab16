import type { Browser, Page } from "playwright-core";

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  /** How long the processor worked for it: what other programs take away does not count. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** The processor time, in microseconds, of the longest task of the page's main thread, from Chromium's own trace. */
export async function longestTask(browser: Browser, page: Page, work: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, {
    categories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"],
  });
  await work();
  const trace = JSON.parse((await browser.stopTracing()).toString("utf8")) as { traceEvents: TraceEvent[] };
  const main = new Set(
    trace.traceEvents
      .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = trace.traceEvents.filter(
    ({ name, ph, pid, tid }) => name.endsWith("RunTask") && ph === "X" && main.has(`${pid} ${tid}`),
  );
  if (tasks.length < 10) throw new Error(`the trace has only ${tasks.length} tasks of the page`);
  return Math.max(...tasks.map(({ tdur, dur }) => tdur ?? dur ?? 0));
}
