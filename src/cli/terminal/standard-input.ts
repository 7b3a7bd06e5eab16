import type { Readable } from "node:stream";

export type Input = Readable & { readonly isTTY?: boolean };

/** Reads all input, or what arrives within the limit. A terminal counts as empty: nobody types an event. */
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
    // The stream was destroyed at the limit or broke off: use what has arrived.
    if (!(error instanceof Error)) throw error;
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks);
}
