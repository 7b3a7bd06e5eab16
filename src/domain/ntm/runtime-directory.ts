import path from "node:path";
import type { FileInfo } from "../../core/ports.ts";

export const RUNTIME_ENV = ["NTM_ORCH_RUNTIME_DIR", "XDG_RUNTIME_DIR", "TMPDIR"];

interface RuntimeEnvironment {
  env(name: string): string | undefined;
  readonly places: { readonly tempDir: string; readonly uid: number };
}

/** The folder of an ntm orchestration's files. Other programs use the same name and the same rules. */
export function runtimeDirectory({ env, places }: RuntimeEnvironment): string {
  const set = env("NTM_ORCH_RUNTIME_DIR");
  if (set) return path.resolve("/", set);
  return path.join(env("XDG_RUNTIME_DIR") || env("TMPDIR") || places.tempDir, `ntm-orch-${places.uid}`);
}

/** Whoever can write to the folder could forge a marker. A missing folder is created as private later. */
export function isPrivateOrAbsent(info: FileInfo | undefined, uid: number): boolean {
  return info === undefined || isPrivate(info, uid);
}

export function isPrivate(info: FileInfo | undefined, uid: number): boolean {
  return info?.kind === "directory" && info.uid === uid && (info.mode & 0o077) === 0;
}
