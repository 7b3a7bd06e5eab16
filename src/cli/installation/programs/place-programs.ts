import { spawnSync } from "node:child_process";
import { accessSync, chmodSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { errorCode } from "../../../agents/settings-file.ts";
import type { Build, VersionSource } from "../version-folder.ts";
import { prebuiltClient } from "./prebuilt-client.ts";

const COMPILERS = ["cc", "gcc", "clang"];

/** Removes `engine` again when it cannot run (a folder mounted noexec), so that agents are not told to run it. */
export function placeEngine(file: string, notes: string[]): void {
  chmodSync(file, 0o700);
  const { error } = spawnSync(file, ["--help"], { timeout: 10_000, stdio: "ignore" });
  if (error === undefined) return;
  rmSync(file);
  notes.push(`The program \`engine\`, which begins sessions, cannot be started from there: ${error.message}.`);
}

/** The client that was built for this machine, else one compiled here; without either hooks use the Node client. */
export function placeClient(source: VersionSource, build: Build, target: string, notes: string[]): void {
  const ofThisCheckout = path.join(source.packageRoot, "dist", "hook");
  const built = [
    () => prebuiltClient(source.packageRoot, notes),
    () => (existsSync(ofThisCheckout) ? readFileSync(ofThisCheckout) : undefined),
  ];
  for (const read of built) {
    const client = read();
    if (client === undefined) continue;
    writeFileSync(target, client);
    chmodSync(target, 0o700);
    if (canStart(target)) return;
    rmSync(target);
  }
  const reason = compile(source, build, target);
  if (reason === undefined && canStart(target)) return;
  rmSync(target, { force: true });
  notes.push(`Hooks use the slower Node client: ${reason ?? `nothing can be started in ${source.versions}`}.`);
}

/** Returns why the client could not be compiled; undefined on success. */
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
 * Can the client run? One for another machine or in a folder mounted noexec would fail at the first hook. Without an
 * engine beside it, a working client lets an event pass with exit code 0. (The exit code matters: a binary that the
 * system refuses to run is handed to the shell, which fails with another code.)
 */
function canStart(client: string): boolean {
  return spawnSync(client, ["--no-daemon"], { env: {}, timeout: 10_000, stdio: "ignore" }).status === 0;
}

function findProgram(name: string, searchPath: string | undefined): string | undefined {
  for (const directory of (searchPath ?? "").split(path.delimiter)) {
    const file = path.join(directory, name);
    // A relative entry would let the current directory choose the compiler.
    if (path.isAbsolute(directory) && isAccessible(file, constants.X_OK)) return file;
  }
  return undefined;
}

export function isAccessible(file: string, mode: number): boolean {
  try {
    accessSync(file, mode);
    return true;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}
