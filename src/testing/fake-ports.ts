import { createHash } from "node:crypto";
import path from "node:path";
import { type FileInfo, NOT_MOVED, type Ports } from "../core/ports.ts";

/** A file's text, `{ dir: mode }` for a directory, `{ link: target }` for a symbolic link. */
export type FakeFile = string | { readonly dir: number; readonly uid?: number } | { readonly link: string };

export interface FakeWorld {
  readonly files?: Readonly<Record<string, FakeFile>>;
  /** tmux sessions that are running; `"missing"` when tmux is not installed. */
  readonly tmux?: readonly string[] | "missing";
  /** Git's output for each of these folders; in any other folder git fails. */
  readonly git?: Readonly<Record<string, string>>;
  /** Git does not answer in time. */
  readonly gitIsSilent?: boolean;
  readonly now?: number;
  /** Processes that are alive. */
  readonly alive?: readonly number[];
}

export const FAKE_UID = 1000;
export const FAKE_PID = 4242;
export const FAKE_NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

/** Ports to an outside world that exists only in memory. */
export function fakePorts(world: FakeWorld = {}): Ports {
  const files = new Map(Object.entries(world.files ?? {}));
  const text = (file: string): string | undefined => {
    const found = files.get(realPath(file));
    return typeof found === "string" ? found : undefined;
  };
  const info = (file: string): FileInfo | undefined => {
    const found = files.get(file);
    if (found === undefined) {
      const isParent = [...files.keys()].some((name) => name.startsWith(`${file}/`));
      return isParent ? { kind: "directory", uid: FAKE_UID, mode: 0o755 } : undefined;
    }
    if (typeof found === "string") return { kind: "file", uid: FAKE_UID, mode: 0o644 };
    if ("link" in found) return { kind: "link", uid: FAKE_UID, mode: 0o777 };
    return { kind: "directory", uid: found.uid ?? FAKE_UID, mode: found.dir };
  };
  const realPath = (file: string): string => {
    let real = "/";
    for (const part of path.resolve(file).split("/").slice(1)) {
      const next = path.join(real, part);
      const found = files.get(next);
      real = typeof found === "object" && "link" in found ? realPath(path.resolve(real, found.link)) : next;
    }
    return real;
  };
  return {
    now: () => world.now ?? FAKE_NOW,
    uid: FAKE_UID,
    tempDir: "/tmp",
    info,
    kind: (file) => info(file)?.kind,
    realPath,
    movedPlaces: (places) => {
      const moved = places.filter((place) => realPath(place) !== place).map((place) => [place, realPath(place)]);
      return moved.length === 0 ? NOT_MOVED : Object.fromEntries(moved);
    },
    readTail: (file, bytes) => text(file)?.slice(-bytes),
    sha256: (file) => {
      const found = text(file);
      return found === undefined ? undefined : createHash("sha256").update(found).digest("hex");
    },
    list: (folder) => {
      if (info(folder)?.kind !== "directory") return undefined;
      const inside = [...files.keys()].filter((name) => name.startsWith(`${folder}/`));
      return [...new Set(inside.map((name) => name.slice(folder.length + 1).split("/")[0] ?? ""))];
    },
    stamp: (file) => (info(file) === undefined ? undefined : `content ${JSON.stringify(files.get(file))}`),
    isAlive: (pid) => world.alive?.includes(pid) ?? false,
    readText(file, maxBytes) {
      const found = text(file);
      return found !== undefined && found.length <= maxBytes ? found : undefined;
    },
    run(command, args) {
      if (command === "git") {
        if (world.gitIsSilent) return Promise.resolve({ code: null, stdout: "", missing: false });
        const stdout = world.git?.[args[args.indexOf("-C") + 1] ?? ""];
        return Promise.resolve({ code: stdout === undefined ? 128 : 0, stdout: stdout ?? "", missing: false });
      }
      if (command !== "tmux" || world.tmux === "missing") {
        return Promise.resolve({ code: null, stdout: "", missing: true });
      }
      const target = args[args.indexOf("-t") + 1]?.replace(/^=/, "") ?? "";
      return Promise.resolve({ code: world.tmux?.includes(target) ? 0 : 1, stdout: "", missing: false });
    },
  };
}
