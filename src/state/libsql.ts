import fs from "node:fs";
import path from "node:path";

/** A Linux program names its dynamic loader within so many bytes from its start. */
const HEAD_BYTES = 4_096;

/**
 * libsql asks the whole machine which C library there is, which costs a cold hook ten milliseconds. The Node that runs
 * here is itself linked to one and says so in its first bytes; where it does not, libsql looks for itself.
 */
export function loadLibsql<T>(load: NodeJS.Require): T {
  const family = process.platform === "linux" ? libraryOfNode() : undefined;
  if (family === undefined || (process.arch !== "x64" && process.arch !== "arm64")) return load("libsql") as T;
  const main = load.resolve("libsql");
  const abi = family === "glibc" ? "gnu" : "musl";
  const answers = {
    "detect-libc": { familySync: () => family, GLIBC: "glibc", MUSL: "musl" },
    "@neon-rs/load": { currentTarget: () => `linux-${process.arch}-${abi}` },
  };
  // Both modules look loaded while libsql loads; later callers get the real ones.
  const files = Object.entries(answers).map(([name, exports]) => {
    const file = load.resolve(name, { paths: [path.dirname(main)] });
    const before = load.cache[file];
    load.cache[file] = { id: file, filename: file, loaded: true, exports } as NodeJS.Module;
    return { file, before };
  });
  try {
    return load(main) as T;
  } finally {
    for (const { file, before } of files) {
      if (before) load.cache[file] = before;
      else delete load.cache[file];
    }
  }
}

function libraryOfNode(): "glibc" | "musl" | undefined {
  const head = Buffer.alloc(HEAD_BYTES);
  try {
    const fd = fs.openSync(process.execPath, "r");
    try {
      fs.readSync(fd, head, 0, HEAD_BYTES, 0);
    } finally {
      fs.closeSync(fd);
    }
  } catch (error) {
    // The program of Node was replaced or removed while it runs: then libsql finds out by itself.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
  const text = head.toString("latin1");
  if (/\/ld-musl-[\w-]+\.so\.\d/.test(text)) return "musl";
  return /\/ld-linux[\w-]*\.so\.\d/.test(text) ? "glibc" : undefined;
}
