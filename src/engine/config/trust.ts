import fs from "node:fs";
import path from "node:path";
import { describe } from "../../core/errors.ts";

/** A project's configuration or policy folder that the person has trusted, with the hash of its bytes. */
export interface TrustRecord {
  /** Without links, so that the same file or folder has one name. */
  readonly file: string;
  readonly sha256: string;
  readonly at: string;
}

export interface Trust {
  readonly records: readonly TrustRecord[];
  /** A sentence when the record cannot be used; nothing is trusted then. */
  readonly problem: string;
}

export function trustFileAt(homeRoot: string): string {
  return path.join(homeRoot, "trust.json");
}

export function readTrust(homeRoot: string): Trust {
  const file = trustFileAt(homeRoot);
  try {
    if (!fs.existsSync(file)) return { records: [], problem: "" };
    const value: unknown = JSON.parse(fs.readFileSync(file, "utf8"));
    if (Array.isArray(value) && value.every(isRecord)) return { records: value, problem: "" };
    return damaged(file, "it is not a list of trusted files");
  } catch (error) {
    return damaged(file, describe(error));
  }
}

function damaged(file: string, detail: string): Trust {
  const problem = `${file} cannot be used (${detail}), so no project is trusted. Run \`hookwright trust\` in a project to create a new one.`;
  return { records: [], problem };
}

function isRecord(value: unknown): value is TrustRecord {
  if (typeof value !== "object" || value === null) return false;
  const { file, sha256, at } = value as Partial<Record<keyof TrustRecord, unknown>>;
  return typeof file === "string" && typeof sha256 === "string" && typeof at === "string";
}

export type Standing = "trusted" | "changed" | "unknown";

/** `changed`: other bytes of this file were trusted once. */
export function standingOf(trust: Trust, file: string, bytes: Uint8Array): Standing {
  return standingOfHash(trust, file, () => sha256(bytes));
}

/** The same for a folder, which has only a hash; it is computed only if the folder has a record. */
export function standingOfHash(trust: Trust, file: string, hashOf: () => string): Standing {
  const real = realPathOf(file);
  const ofFile = trust.records.filter((record) => record.file === real);
  if (ofFile.length === 0) return "unknown";
  const hash = hashOf();
  return ofFile.some((record) => record.sha256 === hash) ? "trusted" : "changed";
}

export function realPathOf(file: string): string {
  try {
    return fs.realpathSync.native(file);
  } catch (error) {
    // The file was deleted meanwhile. Its plain path matches no record that was made through a link.
    if (error instanceof Error && "code" in error) return path.resolve(file);
    throw error;
  }
}

/** The module is loaded on use: most hooks need no hash, and loading it costs a cold hook 3 to 5 ms. */
export function sha256(bytes: Uint8Array): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(bytes).digest("hex");
}
