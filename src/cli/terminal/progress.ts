import { printable } from "../../config/printable.ts";
import { shortened } from "./width.ts";

/** One line in a terminal that says what a slow command is doing now. */
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

/** Writes nothing where no person looks: to a file, a program or a terminal that cannot erase a line. */
export function progressOn(stream: ProgressStream, env: NodeJS.ProcessEnv): Progress {
  if (!stream.isTTY || env.TERM === "dumb") return { show: () => undefined, clear: () => undefined };
  let isShown = false;
  return {
    show(step) {
      // A line as wide as the terminal would make some of them begin a new one.
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
