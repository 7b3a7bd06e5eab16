import { printable } from "../../../config/printable.ts";
import { readTrust, realPathOf, standingOfHash, type TrustRecord } from "../../../engine/config/trust.ts";
import {
  isPolicyFile,
  listFolder,
  policyFolderOf,
  readFolder,
} from "../../../engine/project-policies/policy-folder.ts";
import type { Home } from "../../../system/home.ts";
import { type Style, table } from "../../terminal/style.ts";

/** A file or folder that may be trusted, and whether it can be. */
export type TrustCandidate =
  | { readonly kind: "none" }
  /** It is invalid and cannot be trusted. */
  | { readonly kind: "refused"; readonly why: string }
  /** It is already trusted, or needs no trust. */
  | { readonly kind: "settled"; readonly said: string }
  | { readonly kind: "open"; readonly record: TrustRecord; show(style: Style): string };

export function policyFolderCandidate(home: Home, project: string): TrustCandidate {
  const folder = policyFolderOf(project);
  const listed = listFolder(folder);
  if (listed === undefined) return { kind: "none" };
  if ("refused" in listed) return { kind: "refused", why: printable(listed.refused, 2_000) };
  const names = listed.map(({ name }) => name);
  if (!names.some(isPolicyFile)) return { kind: "none" };
  const content = readFolder(folder, names);
  if ("refused" in content) return { kind: "refused", why: printable(content.refused, 2_000) };
  const shown = printable(folder, 1_000);
  const standing = standingOfHash(readTrust(home.root), folder, () => content.sha256);
  if (standing === "trusted") return { kind: "settled", said: alreadyTrustedText(shown) };
  const record = { file: realPathOf(folder), sha256: content.sha256, at: new Date().toISOString() };
  const rows = content.files.map(({ name, bytes, sha256 }) => [
    `  ${printable(name, 300)}`,
    `${bytes.length} bytes`,
    sha256,
  ]);
  return {
    kind: "open",
    record,
    show: (style) =>
      [
        `${style.bold(shown)}${standing === "changed" ? " has changed since you trusted it" : ""}`,
        `sha256 ${content.sha256}`,
        "",
        "If you trust it, these files run as you, at every event of every agent that works here:",
        "",
        table(rows),
        "",
        "Read them first: they can do whatever you can do.",
        "",
      ].join("\n"),
  };
}

export function alreadyTrustedText(name: string): string {
  return `${name} is already trusted, exactly as it is now. \`hookwright trust --revoke\` revokes that.`;
}

/** The current hash of a policy folder; undefined when it cannot be trusted. */
export function folderHash(folder: string): string | undefined {
  const listed = listFolder(folder);
  if (listed === undefined || "refused" in listed) return undefined;
  const content = readFolder(
    folder,
    listed.map(({ name }) => name),
  );
  return "refused" in content ? undefined : content.sha256;
}
