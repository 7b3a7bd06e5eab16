import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { FileInfo, Ports, RunResult } from "../core/ports.ts";

/** The real world behind the ports. */
export const system: Ports = {
  now: () => Date.now(),
  uid: process.getuid?.() ?? 0,
  tempDir: os.tmpdir(),
  readText,
  readTail,
  info,
  sha256,
  realPath,
  run,
};

function isAbsent(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return ["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE", "EISDIR"].includes(code);
}

/** A file another program owns: unreadable counts as absent, and so does one that is too large to be what we seek. */
function readText(file: string, maxBytes: number): string | undefined {
  try {
    const stat = fs.statSync(file);
    return stat.isFile() && stat.size <= maxBytes ? fs.readFileSync(file, "utf8") : undefined;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function readTail(file: string, bytes: number): string | undefined {
  let fd: number;
  try {
    fd = fs.openSync(file, "r");
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
  try {
    const { size } = fs.fstatSync(fd);
    const buffer = Buffer.alloc(Math.min(size, bytes));
    const read = fs.readSync(fd, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString("utf8", 0, read);
  } finally {
    fs.closeSync(fd);
  }
}

function sha256(file: string): string | undefined {
  try {
    const { createHash } = process.getBuiltinModule("node:crypto");
    return createHash("sha256").update(fs.readFileSync(file)).digest("hex");
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function info(file: string): FileInfo | undefined {
  try {
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (!stat) return undefined;
    const kind = stat.isFile() ? "file" : stat.isDirectory() ? "directory" : stat.isSymbolicLink() ? "link" : "other";
    return { kind, uid: stat.uid, mode: stat.mode & 0o7777 };
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function realPath(file: string): string {
  const rest: string[] = [];
  for (let head = path.resolve(file); ; head = path.dirname(head)) {
    try {
      return path.join(fs.realpathSync.native(head), ...rest);
    } catch (error) {
      if (!isAbsent(error)) throw error;
      const link = danglingTarget(head);
      if (link !== undefined && rest.length < 255) return realPath(path.join(link, ...rest));
      if (head === path.dirname(head)) return path.resolve(file);
      rest.unshift(path.basename(head));
    }
  }
}

/** A write through a link to a missing file creates that file, so the link counts even when its target is absent. */
function danglingTarget(file: string): string | undefined {
  if (info(file)?.kind !== "link") return undefined;
  const target = path.resolve(path.dirname(file), fs.readlinkSync(file));
  return target === file ? undefined : target;
}

function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  ms: number,
): Promise<RunResult> {
  const { execFile } = process.getBuiltinModule("node:child_process");
  return new Promise((resolve) => {
    execFile(command, [...args], { env, timeout: ms, killSignal: "SIGKILL", maxBuffer: 1 << 20 }, (error, stdout) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
      resolve({ code, stdout, missing: error?.code === "ENOENT" });
    });
  });
}
