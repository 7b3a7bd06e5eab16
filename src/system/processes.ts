import fs from "node:fs";

/** A running process, as Linux describes it. */
export interface ProcessInfo {
  readonly parent: number;
  /** Its start time in clock ticks since the boot. */
  readonly start: string;
  /** Its command line. */
  readonly words: string;
}

/** Undefined for a process that has ended; `unknown` where there is no `/proc` to ask. */
export function processInfo(pid: number): ProcessInfo | "unknown" | undefined {
  if (!fs.existsSync("/proc/self/stat")) return "unknown";
  const stat = readProcFile(`/proc/${pid}/stat`);
  // The name of the program stands in brackets and may contain anything.
  const [state = "", parent = "", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // A zombie has ended: only its parent has not read its exit code yet.
  if (stat === "" || state === "Z" || state === "X") return undefined;
  const words = readProcFile(`/proc/${pid}/cmdline`).replaceAll("\0", " ");
  return { parent: Number(parent), start: fields[17] ?? "", words };
}

/** The PID namespace, within which process numbers are valid; empty where the system has none. */
export function processSpace(): string {
  return ifThere(() => fs.readlinkSync("/proc/self/ns/pid")) ?? "";
}

function readProcFile(file: string): string {
  return ifThere(() => fs.readFileSync(file, "utf8")) ?? "";
}

/** A process may end at any moment. */
function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
