import type { Ports } from "../../core/ports.ts";

/** An agent may send an event before it has written the transcript of it. */
const PATIENCE_MS = 500;
const STEP_MS = 20;

/** Reads the end of a file once it contains `awaited`, or as it is when that takes too long. */
export async function tailWith<T>(
  ports: Pick<Ports, "readTail">,
  { file, bytes, awaited }: { readonly file: string; readonly bytes: number; readonly awaited: string },
  pick: (text: string) => T,
): Promise<T | undefined> {
  for (const end = performance.now() + PATIENCE_MS; ; ) {
    const text = ports.readTail(file, bytes);
    if (text === undefined) return undefined;
    if (text.includes(awaited) || performance.now() >= end) return pick(text);
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}
