import fs from "node:fs";
import path from "node:path";
import { type FileInfo, type MovedPlaces, NOT_MOVED, type Ports, type RunResult } from "../core/ports.ts";
import { fileStamp } from "./file-stamp.ts";
import { processInfo } from "./processes.ts";
import { temporaryFolder } from "./user-folders.ts";

/** As the kernel does, a chain of links is followed only so far. */
const LINK_LIMIT = 40;

/** The real world behind the ports. */
export const system: Ports = {
  now: () => Date.now(),
  uid: process.getuid?.() ?? 0,
  tempDir: temporaryFolder(),
  readText,
  readTail,
  info,
  kind: (file) => info(file)?.kind,
  sha256,
  list,
  stamp,
  isAlive,
  realPath: (file, plain) => realPath(file, plain ?? new Set()),
  movedPlaces,
  run,
};

function isAbsent(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return ["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE", "EISDIR"].includes(code);
}

/** A file of another program: an unreadable or too large one counts as absent. */
function readText(file: string, maxBytes: number): string | undefined {
  try {
    // Most of these files do not exist, and an exception costs ten times as much as this `stat`.
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    return stat?.isFile() && stat.size <= maxBytes ? fs.readFileSync(file, "utf8") : undefined;
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

function list(folder: string): readonly string[] | undefined {
  if (!fs.existsSync(folder)) return undefined;
  try {
    // Most of these folders do not exist, and an exception costs ten times as much as this `stat`.
    return fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? fs.readdirSync(folder) : undefined;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function stamp(file: string): string | undefined {
  try {
    return fileStamp(file);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** A process of another user is alive too, although we may not signal it. */
function isAlive(pid: number): boolean {
  try {
    // A zombie can be signalled, but it has ended.
    return process.kill(pid, 0) && processInfo(pid) !== undefined;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
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

/**
 * Resolves part by part and never fails: a write through a link to a missing file creates that file, so a link counts
 * even when its target is absent. `lstat` without an exception is several times cheaper than a failing `realpath`.
 */
function realPath(file: string, plain: Set<string>, hops = 0): string {
  let real = "/";
  const parts = path.resolve(file).split("/");
  for (let i = 1; i < parts.length; i++) {
    const next = real === "/" ? `/${parts[i]}` : `${real}/${parts[i]}`;
    real = next;
    if (hops >= LINK_LIMIT || plain.has(next)) continue;
    const kind = info(next)?.kind;
    if (kind === "link") {
      const target = path.resolve(path.dirname(next), fs.readlinkSync(next), ...parts.slice(i + 1));
      return realPath(target, plain, hops + 1);
    }
    // Nothing below a missing part can be a link.
    if (kind === undefined) return path.join(next, ...parts.slice(i + 1));
    plain.add(next);
  }
  return real;
}

/** How long the real paths of places are cached. */
const PLACES_MS = 1_000;
let found = { at: 0, moved: new Map<readonly string[], MovedPlaces>(), plain: new Set<string>() };

function movedPlaces(places: readonly string[]): MovedPlaces {
  const age = Date.now() - found.at;
  // After the clock was set back the age is negative, and the cache must not live on.
  if (age < 0 || age >= PLACES_MS) found = { at: Date.now(), moved: new Map(), plain: new Set() };
  const known = found.moved.get(places);
  if (known) return known;
  const lies = places.map((place) => [place, realPath(place, found.plain)] as const);
  const elsewhere = lies.filter(([place, real]) => place !== real);
  const moved = elsewhere.length === 0 ? NOT_MOVED : Object.fromEntries(elsewhere);
  found.moved.set(places, moved);
  return moved;
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
