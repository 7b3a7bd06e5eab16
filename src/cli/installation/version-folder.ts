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
import { codeCachesIn } from "./code-caches.ts";
import { type PackageFolder, sqlitePackages } from "./sqlite-packages.ts";
import { isAllowed, placeClient, placeEngine } from "./version-programs.ts";

/**
 * Settings of an agent name a client in a private folder, one per version, that stands alone: deleting a checkout or
 * its node_modules, or changing a file in them, must neither disarm nor change an installed hook.
 */
export interface VersionFolder {
  readonly directory: string;
  readonly client: { readonly kind: "c" | "node"; readonly command: string; readonly args: readonly string[] };
  /** Hashes of what the hook runs. */
  readonly files: Record<string, string>;
  /** What a person should know, such as why the slower client is used. */
  readonly notes: readonly string[];
}

export interface VersionSource {
  /** The package's own root: dist/, client/ and its node_modules are looked for here. */
  readonly packageRoot: string;
  /** Where the folders of all versions lie. */
  readonly versions: string;
  /** For finding a compiler, and handed to it. */
  readonly env: NodeJS.ProcessEnv;
  readonly node?: string;
  readonly hasSqlite?: boolean;
  /** Everybody may read and run what is in the folder, and nobody but its owner change it. */
  readonly isShared?: boolean;
  /** Every file is put in place again, also where one is there: it may have been changed. */
  readonly isRepair?: boolean;
}

/** Both become part of a path, and the build a constant in C. */
const Word = z.string().regex(/^\w[\w.+-]*$/);
const Build = z.object({ version: Word, build: Word });
export type Build = z.infer<typeof Build>;

/** What a hook runs besides the compiled client. */
const BUNDLES = ["hook", "engine", "daemon", "config", "patterns", "toml", "outside-worker"].map((one) => `${one}.cjs`);
/** `engine` for agents that have none on their PATH; a session is begun with it. */
const ENGINE = "engine";
const REQUIRED = [...BUNDLES, "env.list", "build.json", ENGINE, "engine.mjs", "hookwright.mjs"];
/** The code cache is refused when it is older than the bundle, so these are copied after it. */
const OPTIONAL = /^(?:cli\.mjs|engine-.*\.cache)$/;

/** The root of the package that `url` is a module of, be it run from the sources or from the bundle. */
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
      // They may have been changed as well, and hooks make new ones of the mended bundle.
      if (source.isRepair) for (const name of codeCachesIn(directory)) rmSync(path.join(directory, name));
      assemble(source, wanted, directory, notes);
    }
    // A clean-up takes away folders that no record names yet; it leaves alone what is as fresh as this.
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
 * A folder appears by rename, so what is there is whole unless someone took from it since. It is looked through
 * nevertheless: running `init` again is how a person repairs it, or tells it that Node has moved.
 */
function isComplete(directory: string, wanted: Wanted): boolean {
  const found = buildIn(path.join(directory, "build.json"));
  return (
    found?.version === wanted.build.version &&
    found.build === wanted.build.build &&
    // Without the compiled client every run tries again to make it, and says why that failed.
    ["hook", ...REQUIRED].every((name) => existsSync(path.join(directory, name))) &&
    nodeNamedIn(directory) === wanted.node &&
    wanted.packages.every(({ name }) => existsSync(path.join(directory, "node_modules", name, "package.json")))
  );
}

function assemble(source: VersionSource, wanted: Wanted, directory: string, notes: string[]): void {
  const staging = path.join(source.versions, `.new-${process.pid}-${randomBytes(6).toString("hex")}`);
  makeFolder(staging, 0o700);
  try {
    // The client first: it is tried out in a folder that has nothing else it could start.
    placeClient(source, wanted.build, path.join(staging, "hook"), notes);
    const dist = path.join(source.packageRoot, "dist");
    // In a package that everybody shares, the cache may be the private file of whoever ran a hook first.
    const mayRead = (name: string): boolean => isAllowed(path.join(dist, name), constants.R_OK);
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

/** What its owner may run, everybody may; the rest everybody may read. */
function openTree(directory: string): void {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    chmodSync(file, (statSync(file).mode & 0o100) !== 0 ? 0o755 : 0o644);
  }
}

/** After a power cut an empty client under its final name would stop every guarded call. */
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

/** A hook may be running from an older state of the folder, so it is mended file by file and never taken away. */
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
