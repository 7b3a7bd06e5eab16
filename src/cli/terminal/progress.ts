import { printable } from "../../config/printable.ts";
import { shortened } from "./width.ts";

/** A line in the terminal that shows what a slow command is doing. */
export interface Progress {
  show(step: string): void;
  /** Erases the line, before anything else is printed and at the end. */
  clear(): void;
}

export type ProgressStream = Pick<NodeJS.WriteStream, "write"> & {
  readonly isTTY?: boolean;
  readonly columns?: number;
};

const LONGEST_STEP = 200;
const USUAL_COLUMNS = 80;
const ERASE = "\r\u001b[K";

/** Writes nothing unless the stream is a terminal that can erase a line. */
export function progressOn(stream: ProgressStream, env: NodeJS.ProcessEnv): Progress {
  if (!stream.isTTY || env.TERM === "dumb") return { show: () => undefined, clear: () => undefined };
  let isShown = false;
  return {
    show(step) {
      // One column less, because some terminals start a new line after a full one.
      const width = (stream.columns || USUAL_COLUMNS) - 1;
      stream.write(ERASE + shortened(`${printable(step, LONGEST_STEP)} …`, width));
      isShown = true;
    },
    clear() {
      if (isShown) stream.write(ERASE);
      isShown = false;
    },
  };
}
