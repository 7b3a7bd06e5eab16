import type { Readable } from "node:stream";

export type Input = Readable & { readonly isTTY?: boolean };

/** All of it, or what came in time. A terminal is not waited for: nobody types an event. */
export async function readInput(input: Input, mostBytes: number, limitMs?: number): Promise<Buffer> {
  if (input.isTTY) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  let length = 0;
  const timer = limitMs === undefined ? undefined : setTimeout(() => input.destroy(), limitMs);
  try {
    for await (const chunk of input) {
      const bytes = Buffer.from(chunk as Uint8Array);
      chunks.push(bytes);
      length += bytes.length;
      if (length > mostBytes) break;
    }
  } catch (error) {
    // A stream that was given up or broke off: what has come is all there is.
    if (!(error instanceof Error)) throw error;
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks);
}
