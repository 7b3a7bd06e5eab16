import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  accessSync,
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
import { errorCode, readFailed, sha256, writeFailed } from "../agents/settings-file.ts";
import { HookwrightError } from "../core/errors.ts";
import { makeFolder } from "../state/make-folder.ts";
import { codeCachesIn } from "./code-caches.ts";
import { type PackageFolder, sqlitePackages } from "./sqlite-packages.ts";

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
const REQUIRED = [...BUNDLES, "env.list", "build.json"];
/** The code cache is refused when it is older than the bundle, so these are copied after it. */
const OPTIONAL = /^(?:cli\.mjs|engine-.*\.cache)$/;
const COMPILERS = ["cc", "gcc", "clang"];

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
    if (existsSync(file)) files[name] = sha256(readFileSync(file));
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

function placeClient(source: VersionSource, build: Build, target: string, notes: string[]): void {
  const shipped = path.join(source.packageRoot, "dist", "hook");
  if (existsSync(shipped)) {
    copyFileSync(shipped, target);
    chmodSync(target, 0o700);
    if (starts(target)) return;
    rmSync(target, { force: true });
  }
  const reason = compile(source, build, target);
  if (reason === undefined && starts(target)) return;
  rmSync(target, { force: true });
  notes.push(`Hooks use the slower Node client: ${reason ?? `nothing can be started in ${source.versions}`}.`);
}

/** Returns why there is no compiled client, or nothing. */
function compile(source: VersionSource, build: Build, target: string): string | undefined {
  const code = path.join(source.packageRoot, "client", "hook.c");
  if (!existsSync(code)) return "this package has no compiled client for this machine, and no source of it";
  const compiler = COMPILERS.map((name) => findProgram(name, source.env.PATH)).find((found) => found !== undefined);
  if (compiler === undefined) return `no C compiler was found (${COMPILERS.join(", ")})`;
  const common = ["-O2", "-std=gnu11", `-DHW_BUILD="${build.build}"`, "-o", target, code];
  let said = "";
  // Static starts faster, but not every system has the static C library.
  for (const options of [["-static", ...common], common]) {
    const run = spawnSync(compiler, options, { encoding: "utf8", timeout: 60_000, env: source.env });
    if (run.status === 0) {
      chmodSync(target, 0o700);
      return undefined;
    }
    said = run.error?.message ?? run.stderr.trim().split("\n")[0] ?? "";
  }
  return `${compiler} could not compile it (${said})`;
}

/**
 * Built for another machine, or in a folder mounted noexec: such a client would only fail at the first hook. With
 * nothing to start beside it the client lets an event pass, with exit code 0. (The code matters: a binary that the
 * system refuses is handed to the shell, which then fails in its own way.)
 */
function starts(client: string): boolean {
  return spawnSync(client, ["--no-daemon"], { env: {}, timeout: 10_000, stdio: "ignore" }).status === 0;
}

function findProgram(name: string, searchPath: string | undefined): string | undefined {
  for (const directory of (searchPath ?? "").split(path.delimiter)) {
    const file = path.join(directory, name);
    // A relative entry would let the current directory choose the compiler.
    if (path.isAbsolute(directory) && isAllowed(file, constants.X_OK)) return file;
  }
  return undefined;
}

function isAllowed(file: string, mode: number): boolean {
  try {
    accessSync(file, mode);
    return true;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
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
