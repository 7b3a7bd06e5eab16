import fs from "node:fs";
import path from "node:path";
import type { compileConfig } from "../../config/compile.ts";
import { describe, HookwrightError } from "../../core/errors.ts";
import { replacePrivateFile } from "../../system/private-file.ts";
import { readJsonFile, writeJsonFile } from "../connection/files.ts";
import { assertBundle, type Bundle, refused } from "./signature.ts";

/** The bundle in force on this machine. The engine reads its content from `bundle.yml` and knows no more of it. */
export interface KeptBundle extends Bundle {
  readonly acceptedAt: number;
}

export function bundleFile(folder: string): string {
  return path.join(folder, "bundle.json");
}

export function bundleContentFile(folder: string): string {
  return path.join(folder, "bundle.yml");
}

export function readKeptBundle(folder: string): KeptBundle | undefined {
  const file = bundleFile(folder);
  const value = readJsonFile(file);
  if (value === undefined) return undefined;
  if (isBundle(value)) return value as KeptBundle;
  throw new HookwrightError("HW_FLEET_FILE", { file, detail: "it is no policy bundle" });
}

type ConfigCompiler = typeof compileConfig;

/**
 * Puts a bundle in force if the pinned key has signed it, it is newer than the one in force, and its content has no
 * mistake. Else it throws, and the one in force stays.
 */
export async function acceptBundle(
  folder: string,
  bundle: Bundle,
  publicKey: string,
  compile: ConfigCompiler,
  now: number,
): Promise<void> {
  assertBundle(bundle, publicKey, readKeptBundle(folder)?.revision ?? 0);
  await assertContent(bundle.content, compile);
  writeJsonFile(bundleFile(folder), { ...bundle, acceptedAt: now });
  restoreContent(folder, bundle);
}

/** Throws for a configuration with mistakes. */
export async function assertContent(content: string, compile: ConfigCompiler): Promise<void> {
  const { goodFiles, problems } = await compile([{ file: "the bundle", owner: "fleet", text: content }]);
  if (goodFiles.length === 0) throw refused(problems.join(" "));
}

/** Writes the content again where it is missing or was changed. True if it was. */
export function restoreContent(folder: string, { content }: Pick<Bundle, "content">): boolean {
  const file = bundleContentFile(folder);
  if (fs.existsSync(file) && fs.readFileSync(file, "utf8") === content) return false;
  try {
    replacePrivateFile(file, content);
  } catch (error) {
    throw new HookwrightError("HW_WRITE_FAILED", { file, detail: describe(error) }, error);
  }
  return true;
}

export function isBundle(value: unknown): value is Bundle {
  if (typeof value !== "object" || value === null) return false;
  const { revision, signer, key, content, signature } = value as Partial<Record<keyof Bundle, unknown>>;
  return Number.isSafeInteger(revision) && [signer, key, content, signature].every((one) => typeof one === "string");
}
