import fs from "node:fs";

/** Clients go by a second; see client/turns.h. */
const OFTEN_ENOUGH_MS = 100;

/** Called after every answer: the socket's time tells clients in a crowd that others are being answered. */
export function pulseOn(socket: string): () => void {
  let last = 0;
  return () => {
    const now = Date.now();
    if (now - last < OFTEN_ENOUGH_MS && now >= last) return;
    last = now;
    try {
      fs.utimesSync(socket, now / 1000, now / 1000);
    } catch (error) {
      // The socket has another name while the daemon starts, and is gone when it ends.
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  };
}
