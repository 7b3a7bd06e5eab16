import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { errorCode, readFailed, sha256OfBytes, writeFailed } from "../../agents/settings-file.ts";
import { HookwrightError } from "../../core/errors.ts";
import { makeFolder } from "../../system/make-folder.ts";
import { isAccessible, placeClient, placeEngine } from "./programs/place-programs.ts";
import { type PackageFolder, sqlitePackages } from "./programs/sqlite-packages.ts";

/**
 * A private folder for one version with everything that an installed hook runs. An agent's settings point into it, so
 * that deleting or changing a checkout or its node_modules neither disarms nor changes an installed hook.
 */
export interface VersionFolder {
  readonly directory: string;
  readonly client: { readonly kind: "c" | "node"; readonly command: string; readonly args: readonly string[] };
  /** Hashes of the files that the hook runs. */
  readonly files: Record<string, string>;
  /** Notes for the person, such as why the slower client is used. */
  readonly notes: readonly string[];
}

export interface VersionSource {
  /** The root of the package, with dist/, client/ and node_modules. */
  readonly packageRoot: string;
  /** The folder that contains all version folders. */
  readonly versions: string;
  /** The environment for finding and running a compiler. */
  readonly env: NodeJS.ProcessEnv;
  readonly node?: string;
  readonly hasSqlite?: boolean;
  /** All users may read and run the files, and only the owner may change them. */
  readonly isShared?: boolean;
  /** Replace every file, even if it exists: it may have been changed. */
  readonly isRepair?: boolean;
}

/** Version and build become parts of paths, and the build a constant in C. */
const Word = z.string().regex(/^\w[\w.+-]*$/);
const Build = z.object({ version: Word, build: Word });
export type Build = z.infer<typeof Build>;

/** What a hook runs besides the compiled client, and what agents load that take plugins instead of hooks. */
const BUNDLES = [
  ...["hook", "engine", "daemon", "config", "patterns", "toml", "outside-worker", "fleet-link"],
  ...["shim", "opencode", "pi"],
].map((one) => `${one}.cjs`);
/** The program for agents that do not have `engine` on their PATH; it starts sessions. */
const ENGINE = "engine";
const REQUIRED = [...BUNDLES, "env.list", "build.json", ENGINE, "engine.mjs", "hookwright.mjs"];
/** Copied after the bundles, because a code cache that is older than its bundle is rejected. */
const OPTIONAL = /^(?:cli\.mjs|mcp-library\.mjs|engine-.*\.cache)$/;

/** The root of the package that contains the module `url`, which may be a source file or the bundle. */
export function packageRootOf(url: string): string {
  const start = path.dirname(fileURLToPath(url));
  for (let at = start; path.dirname(at) !== at; at = path.dirname(at)) {
    const text = textOf(path.join(at, "package.json"));
    if (text !== undefined && /"name":\s*"hookwright"/.test(text)) return at;
  }
  return start;
}

export function readBuild(packageRoot: string): Build {
  const file = path.join(packageRoot, "dist", "build.json");
  const build = buildIn(file);
  if (build === undefined) throw new HookwrightError("HW_NOT_BUILT", { file });
  return build;
}

export function versionName({ version, build }: Build): string {
  return `${version}-${build}`;
}

export function prepareVersionFolder(source: VersionSource): VersionFolder {
  const { packageRoot, versions } = source;
  const build = readBuild(packageRoot);
  const missing = REQUIRED.map((name) => path.join(packageRoot, "dist", name)).find((file) => !existsSync(file));
  if (missing !== undefined) throw new HookwrightError("HW_NOT_BUILT", { file: missing });
  const wanted: Wanted = {
    build,
    node: source.node ?? process.execPath,
    packages: (source.hasSqlite ?? isBuiltin("node:sqlite")) ? [] : sqlitePackages(packageRoot),
  };
  const directory = path.join(versions, versionName(build));
  const notes: string[] = [];
  try {
    if (source.isRepair || !isComplete(directory, wanted)) {
      const created = makeFolder(versions, 0o700);
      if (source.isShared && created !== undefined) openTree(created);
      // Code caches may have been changed too; hooks create new ones from the repaired bundle.
      if (source.isRepair) for (const name of codeCachesIn(directory)) rmSync(path.join(directory, name));
      assemble(source, wanted, directory, notes);
    }
    // A new modification time, because a clean-up removes old folders that no record names yet.
    utimesSync(directory, new Date(), new Date());
  } catch (error) {
    throw error instanceof HookwrightError ? error : writeFailed(directory, error);
  }
  const compiled = path.join(directory, "hook");
  const client = existsSync(compiled)
    ? ({ kind: "c", command: compiled, args: [] } as const)
    : ({ kind: "node", command: wanted.node, args: [path.join(directory, "hook.cjs")] } as const);
  const files: Record<string, string> = {};
  for (const name of ["hook", ...BUNDLES, ...codeCachesIn(directory)]) {
    const file = path.join(directory, name);
    if (existsSync(file)) files[name] = sha256OfBytes(readFileSync(file));
  }
  return { directory, client, files, notes };
}

interface Wanted {
  readonly build: Build;
  readonly node: string;
  readonly packages: readonly PackageFolder[];
}

/**
 * The folder is created by rename, so it is complete unless files were removed later. It is checked anyway, because people
 * run `init` again to repair it or after Node has moved.
 */
function isComplete(directory: string, wanted: Wanted): boolean {
  const found = buildIn(path.join(directory, "build.json"));
  return (
    found?.version === wanted.build.version &&
    found.build === wanted.build.build &&
    // Without the compiled client, every `init` tries again to compile it and reports why that failed.
    ["hook", ...REQUIRED].every((name) => existsSync(path.join(directory, name))) &&
    nodeNamedIn(directory) === wanted.node &&
    wanted.packages.every(({ name }) => existsSync(path.join(directory, "node_modules", name, "package.json")))
  );
}

function assemble(source: VersionSource, wanted: Wanted, directory: string, notes: string[]): void {
  const staging = path.join(source.versions, `.new-${process.pid}-${randomBytes(6).toString("hex")}`);
  makeFolder(staging, 0o700);
  try {
    // The client first, because it is tried in a folder without anything else that it could start.
    placeClient(source, wanted.build, path.join(staging, "hook"), notes);
    const dist = path.join(source.packageRoot, "dist");
    // In a shared package, a code cache may be the private file of the user who ran a hook first.
    const mayRead = (name: string): boolean => isAccessible(path.join(dist, name), constants.R_OK);
    const optional = readdirSync(dist).filter((name) => OPTIONAL.test(name) && mayRead(name));
    for (const name of [...REQUIRED, ...optional]) {
      copyFileSync(path.join(dist, name), path.join(staging, name));
      chmodSync(path.join(staging, name), 0o600);
    }
    writeFileSync(path.join(staging, "node.path"), `${wanted.node}\n`, { mode: 0o600 });
    for (const { name, directory: from } of wanted.packages) {
      const filter = (file: string): boolean => path.basename(file) !== "node_modules";
      cpSync(from, path.join(staging, "node_modules", name), { recursive: true, dereference: true, filter });
    }
    placeEngine(path.join(staging, ENGINE), notes);
    if (source.isShared) openTree(staging);
    syncFiles(staging);
    moveInto(staging, directory);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Lets all users run what the owner can run, and read the rest. */
function openTree(directory: string): void {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    chmodSync(file, (statSync(file).mode & 0o100) !== 0 ? 0o755 : 0o644);
  }
}

/** Flushes to disk before the rename: an empty client after a power cut would block every guarded call. */
function syncFiles(directory: string): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const fd = openSync(path.join(entry.parentPath, entry.name), constants.O_RDONLY);
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }
}

/** Moves the new folder into place. An existing one is updated file by file, because hooks may be running from it. */
function moveInto(staging: string, directory: string): void {
  try {
    renameSync(staging, directory);
    return;
  } catch (error) {
    const code = errorCode(error);
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
  }
  for (const name of readdirSync(staging)) {
    const target = path.join(directory, name);
    if (name !== "node_modules") renameSync(path.join(staging, name), target);
    else cpSync(path.join(staging, name), target, { recursive: true });
  }
}

function nodeNamedIn(directory: string): string | undefined {
  return textOf(path.join(directory, "node.path"))?.split("\n")[0];
}

function buildIn(file: string): Build | undefined {
  const text = textOf(file);
  if (text === undefined) return undefined;
  try {
    return Build.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw readFailed(file, error);
  }
}

/** The names of V8 code caches of the engine's bundle; there is one for each Node version that ran it. */
function codeCachesIn(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory).filter((name) => /^engine-.*\.cache$/.test(name)) : [];
}
