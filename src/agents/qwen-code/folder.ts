import path from "node:path";

/** Where Qwen Code keeps what belongs to the person. */
export function qwenFolder(env: Readonly<Record<string, string | undefined>>, userHome: string): string {
  return env.QWEN_HOME || path.join(userHome, ".qwen");
}
