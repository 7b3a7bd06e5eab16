import path from "node:path";

/** Where sockets live: private to the user and gone after a restart of the machine. */
export function runtimeDirOf(env: Readonly<Record<string, string | undefined>>, uid: number): string {
  const base = env.XDG_RUNTIME_DIR;
  return path.join(base && path.isAbsolute(base) ? base : "/tmp", `hookwright-${uid}`);
}
