import path from "node:path";
import type { FileInfo } from "../../core/ports.ts";

export const RUNTIME_ENV = ["NTM_ORCH_RUNTIME_DIR", "XDG_RUNTIME_DIR", "TMPDIR"];

interface Surroundings {
  env(name: string): string | undefined;
  readonly places: { readonly tempDir: string; readonly uid: number };
}

/** The files of an ntm orchestration live here; its name and rules are shared with other programs. */
export function runtimeDirectory({ env, places }: Surroundings): string {
  const set = env("NTM_ORCH_RUNTIME_DIR");
  if (set) return path.resolve("/", set);
  return path.join(env("XDG_RUNTIME_DIR") || env("TMPDIR") || places.tempDir, `ntm-orch-${places.uid}`);
}

/** Anyone who can write there could forge a marker. A folder that is not there yet will be made private. */
export function isPrivateOrAbsent(info: FileInfo | undefined, uid: number): boolean {
  return info === undefined || isPrivate(info, uid);
}

export function isPrivate(info: FileInfo | undefined, uid: number): boolean {
  return info?.kind === "directory" && info.uid === uid && (info.mode & 0o077) === 0;
}
