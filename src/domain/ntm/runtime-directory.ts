import path from "node:path";
import type { FileInfo } from "../../core/ports.ts";

/** The files of an ntm orchestration live here; its name and rules are shared with other programs. */
export function runtimeDirectory(env: (name: string) => string | undefined, uid: number, tempDir: string): string {
  const set = env("NTM_ORCH_RUNTIME_DIR");
  if (set) return path.resolve("/", set);
  return path.join(env("XDG_RUNTIME_DIR") || tempDir, `ntm-orch-${uid}`);
}

/** Anyone who can write there could forge a marker. */
export function isPrivate(info: FileInfo | undefined, uid: number): boolean {
  return info?.kind === "directory" && info.uid === uid && (info.mode & 0o077) === 0;
}
