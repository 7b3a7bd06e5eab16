import type { Ports } from "../core/ports.ts";
import type { Origin } from "../state/origins.ts";

/** An outside world that cannot be looked at. Facts are recorded, so whatever gets here was not. */
export function closedPorts(now: number, { uid, tempDir }: Origin, onMissing: (name: string) => void): Ports {
  const closed =
    (name: string) =>
    (...words: readonly unknown[]): never => {
      onMissing(`${name}:${String(words[0])}`);
      throw new Error(`\`${name}\` was not recorded`);
    };
  return {
    now: () => now,
    uid,
    tempDir,
    readText: closed("text"),
    readTail: closed("tail"),
    info: closed("info"),
    kind: closed("kind"),
    sha256: closed("sha256"),
    list: closed("list"),
    stamp: closed("stamp"),
    isAlive: closed("alive"),
    realPath: closed("real"),
    movedPlaces: closed("moved"),
    run: closed("run"),
  };
}
