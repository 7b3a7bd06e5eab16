import { fingerprint } from "../../core/text/fingerprint.ts";
import type { Home } from "../../system/home.ts";
import { fileVersion } from "../config/config-files.ts";
import { readTrust, standingOfHash, trustFileAt } from "../config/trust.ts";
import { type FolderContent, isPolicyFile, listFolder, policyFolderOf, readFolder } from "./folder.ts";

/** A project's folder that the person has allowed, as it was read for that comparison. */
export interface TrustedFolder extends FolderContent {
  readonly folder: string;
}

export type FolderStanding =
  | { readonly kind: "none" }
  /** A sentence for the person; nothing of the folder runs. */
  | { readonly kind: "not-run"; readonly problem: string }
  | { readonly kind: "trusted"; readonly trusted: TrustedFolder };

const NO_FOLDER: FolderStanding = { kind: "none" };
/** Two writes within one tick of the file system's clock look like one, so what is this fresh is read every time. */
const SETTLED_MS = 100;
const MOST_KNOWN = 16;

/** Says of a project whether its policies may run; read again only when something in the folder has changed. */
export function openFolders(home: Home): (project: string) => FolderStanding {
  const known = new Map<string, { readonly key: string; readonly standing: FolderStanding }>();
  return (project) => {
    const folder = policyFolderOf(project);
    const listed = listFolder(folder);
    if (listed === undefined) return NO_FOLDER;
    if ("refused" in listed) return { kind: "not-run", problem: listed.refused };
    if (!listed.some(({ name }) => isPolicyFile(name))) return NO_FOLDER;
    const trust = fileVersion(trustFileAt(home.root));
    if (!trust) return { kind: "not-run", problem: problemOf(folder, "unknown") };
    const key = fingerprint(trust.stamp, ...listed.flatMap(({ name, stamp }) => [name, stamp]));
    const before = known.get(folder);
    if (before?.key === key) return before.standing;
    const standing = standingNow(
      home,
      folder,
      listed.map(({ name }) => name),
    );
    if ([trust, ...listed].every(({ changedAt }) => Date.now() - changedAt >= SETTLED_MS)) {
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(folder, { key, standing });
    }
    return standing;
  };
}

function standingNow(home: Home, folder: string, names: readonly string[]): FolderStanding {
  const trust = readTrust(home.root);
  if (trust.problem !== "") return { kind: "not-run", problem: trust.problem };
  const content = readFolder(folder, names);
  if ("refused" in content) return { kind: "not-run", problem: content.refused };
  const standing = standingOfHash(trust, folder, () => content.sha256);
  if (standing === "trusted") return { kind: "trusted", trusted: { ...content, folder } };
  return { kind: "not-run", problem: problemOf(folder, standing) };
}

function problemOf(folder: string, standing: "changed" | "unknown"): string {
  const why =
    standing === "changed" ? "something in the folder has changed since you trusted it" : "you have not trusted them";
  return `The policies in ${folder} do not run: ${why}. Look at them, then run \`hookwright trust\` in the project.`;
}
