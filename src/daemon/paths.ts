import path from "node:path";
import { HookwrightError } from "../core/errors.ts";
import { runtimeDirOf } from "../system/runtime-directory.ts";

/** The kernel's limit for a socket address, less the final NUL; Node truncates longer paths without an error. */
const SOCKET_LIMIT = 107;

export interface DaemonPaths {
  readonly directory: string;
  readonly socket: string;
  /** The path under which the socket is made before it is renamed; it must not be longer. */
  readonly draft: string;
  readonly lock: string;
  /** A marker of a client that starts a daemon, so that a hundred clients start one daemon. */
  readonly starting: string;
  /** A marker of a client that got no answer in time, so that the next clients wait for a shorter time. */
  readonly slow: string;
}

/** Build and home are in the name, so different versions and homes never talk to each other. */
export function daemonPaths(build: string, home: string, env: NodeJS.ProcessEnv, uid: number): DaemonPaths {
  const directory = runtimeDirOf(env, uid);
  const base = path.join(directory, socketName(build, home));
  const socket = `${base}.sock`;
  const bytes = Buffer.byteLength(socket);
  if (bytes > SOCKET_LIMIT) throw new HookwrightError("HW_SOCKET_PATH", { path: socket, bytes, limit: SOCKET_LIMIT });
  const stamps = { starting: `${base}.starting`, slow: `${base}.slow` };
  return { directory, socket, draft: `${base}.new`, lock: `${base}.lock`, ...stamps };
}

/** 64-bit FNV-1a, low 48 bits: short enough for the C client to compute the same. */
export function socketName(build: string, home: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(`${build}\n${home}`)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return (hash & 0xffffffffffffn).toString(16).padStart(12, "0");
}
