import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import * as z from "zod";
import { errorCode } from "../../../agents/settings-file.ts";
import { describe, HookwrightError } from "../../../core/errors.ts";

export interface PackageFolder {
  readonly name: string;
  readonly directory: string;
}

/** The folders of libsql and its dependencies, resolved as Node resolves them from the package. */
export function sqlitePackages(packageRoot: string): PackageFolder[] {
  try {
    const libsql = packageDirectory(packageRoot, "libsql");
    const targets = z.object({ neon: z.object({ targets: z.record(z.string(), z.string()) }) });
    const { neon } = targets.parse(JSON.parse(readFileSync(path.join(libsql, "package.json"), "utf8")));
    const native = Object.values(neon.targets).find((name) => isForThisMachine(libsql, name));
    if (native === undefined) throw new Error("libsql has no binary for this machine");
    const needed = ["@neon-rs/load", "detect-libc", native];
    return [
      { name: "libsql", directory: libsql },
      ...needed.map((name) => ({ name, directory: packageDirectory(libsql, name) })),
    ];
  } catch (error) {
    const detail = describe(error).split("\n")[0] ?? "";
    throw new HookwrightError("HW_NO_SQLITE", { detail }, error);
  }
}

/** Searches upwards from the package's main file, because a package need not export its package.json. */
function packageDirectory(from: string, name: string): string {
  let at = path.dirname(realpathSync(createRequire(path.join(from, "package.json")).resolve(name)));
  while (!existsSync(path.join(at, "package.json")) && path.dirname(at) !== at) at = path.dirname(at);
  return at;
}

const Native = z.object({
  os: z.array(z.string()),
  cpu: z.array(z.string()),
  neon: z.object({ abi: z.string().nullish() }),
});

function isForThisMachine(libsql: string, name: string): boolean {
  let directory: string;
  try {
    directory = packageDirectory(libsql, name);
  } catch (error) {
    if (errorCode(error) === "MODULE_NOT_FOUND") return false;
    throw error;
  }
  const { os, cpu, neon } = Native.parse(JSON.parse(readFileSync(path.join(directory, "package.json"), "utf8")));
  if (!os.includes(process.platform) || !cpu.includes(process.arch)) return false;
  return process.platform !== "linux" || (neon.abi ?? "").startsWith(isGlibc() ? "gnu" : "musl");
}

function isGlibc(): boolean {
  const report = z.object({ header: z.object({ glibcVersionRuntime: z.string().optional() }) });
  const read = report.safeParse(process.report.getReport());
  return read.success && read.data.header.glibcVersionRuntime !== undefined;
}
