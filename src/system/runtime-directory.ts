import path from "node:path";

/** The last answer: it hardly ever changes, and every edit asks for it. */
let last: { readonly base: string | undefined; readonly uid: number; readonly directory: string } = {
  base: undefined,
  uid: -1,
  directory: "",
};

/** Where sockets live: private to the user and gone after a restart of the machine. */
export function runtimeDirOf(env: Readonly<Record<string, string | undefined>>, uid: number): string {
  const base = env.XDG_RUNTIME_DIR;
  if (base !== last.base || uid !== last.uid) {
    const directory = path.join(base && path.isAbsolute(base) ? base : "/tmp", `hookwright-${uid}`);
    last = { base, uid, directory };
  }
  return last.directory;
}
