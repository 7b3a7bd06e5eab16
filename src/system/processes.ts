import fs from "node:fs";

/** What Linux says of a process that runs. */
export interface ProcessInfo {
  readonly parent: number;
  /** When it was started, in the system's own count. */
  readonly start: string;
  /** Its command line. */
  readonly words: string;
}

/** Undefined for a process that has ended; `unknown` where there is no `/proc` to ask. */
export function processInfo(pid: number): ProcessInfo | "unknown" | undefined {
  if (!fs.existsSync("/proc/self/stat")) return "unknown";
  const stat = textOf(`/proc/${pid}/stat`);
  // The name of the program stands in brackets and may contain anything.
  const [state = "", parent = "", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // One that nobody has asked for its exit code yet has ended all the same.
  if (stat === "" || state === "Z" || state === "X") return undefined;
  const words = textOf(`/proc/${pid}/cmdline`).replaceAll("\0", " ");
  return { parent: Number(parent), start: fields[17] ?? "", words };
}

/** Numbers of processes mean something in here only; empty where there is but one such place. */
export function processSpace(): string {
  return ifThere(() => fs.readlinkSync("/proc/self/ns/pid")) ?? "";
}

function textOf(file: string): string {
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
