import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../system/make-folder.ts";
import { type Git, gitIn, zeroSeparated } from "./git.ts";
import { diskPathOf, isBelow, type KeptFile, rawToText, statOf } from "./manifest.ts";
import { GITLINK } from "./read-repository.ts";
import { indexStep, type RestoreStep } from "./restore-git.ts";
import { refSteps, stashStep } from "./restore-refs.ts";
import type { OpenSnapshot } from "./snapshot-store.ts";
import {
  hasWantedContent,
  hasWantedState,
  isAbsentOrEmpty,
  USUAL_MODES,
  type WantedFile,
  writeWanted,
} from "./wanted-files.ts";

const EXECUTABLE = "100755";
const LINK = "120000";

export interface RestoreInput {
  readonly snapshot: OpenSnapshot;
  readonly env: Readonly<Record<string, string>>;
  /** Restore only these paths, relative to the root, and leave branches, stashes and the index as they are. Empty: all. */
  readonly only: readonly string[];
  /** A private folder for temporary files. */
  readonly scratch: string;
}

/** The steps that restore the recorded state, in an order in which they can be carried out. */
export async function planRestore(input: RestoreInput): Promise<RestoreStep[]> {
  const { manifest, contents } = input.snapshot;
  const { root, git: kept } = manifest;
  if (!fs.existsSync(root)) throw new Error(`${root} is not there any more`);
  const isMeant = (raw: string): boolean => input.only.length === 0 || input.only.some((one) => isBelow(raw, one));
  const files = manifest.files.filter(({ path: raw }) => isMeant(raw));
  const indexes = [...files, ...(kept?.underWay ?? [])].flatMap(({ content }) => content ?? []);
  const own = [...(kept?.index === undefined ? [] : [kept.index]), ...Object.values(kept?.tags ?? {})];
  const bytes = await contents([...indexes, ...own]);
  const wanted = (file: KeptFile): WantedFile => {
    const own = file.content === undefined ? undefined : bytes.get(file.content);
    return { path: file.path, kind: file.kind, mode: file.mode, ...(own && { bytes: own }) };
  };
  if (!kept) return fileSteps(root, files.map(wanted), () => false);
  const git = gitIn({ folder: root, env: input.env }, ["-c", "core.quotePath=false", "-c", "core.fsmonitor=false"]);
  const index = kept.index === undefined ? undefined : bytes.get(kept.index);
  const indexFile = path.join(input.scratch, `${manifest.id}.index-${process.pid}`);
  makeFolder(input.scratch, 0o700);
  if (index) fs.writeFileSync(indexFile, index, { mode: 0o600 });
  try {
    const known = new Set(manifest.files.map((file) => file.path));
    const isWithin = (raw: string): boolean => manifest.named.some((one) => isBelow(raw, one));
    const isNamed = (raw: string): boolean => isMeant(raw) && !known.has(raw) && (kept.isWhole || isWithin(raw));
    // For paths that the command names, every unusual mode is recorded: no record means that the mode was a usual one.
    const hadUsualMode = (raw: string): boolean => isWithin(raw) && !(raw in kept.modes);
    const clean = index ? await unchanged(git, indexFile, root, isNamed, kept.modes, hadUsualMode) : [];
    const byIndex = new Set(clean.map((one) => one.path));
    const folders = Object.entries(kept.modes).flatMap(([raw, mode]): WantedFile[] =>
      isNamed(raw) && !byIndex.has(raw) && isFolder(root, raw) ? [{ path: raw, kind: "folder", mode }] : [],
    );
    const added = kept.isWhole ? await addedSince(git, indexFile, index !== undefined, isNamed) : [];
    const isSafe = await safeNow(git);
    const steps = fileSteps(root, [...added, ...folders, ...files.map(wanted), ...clean], isSafe, kept.modes);
    if (!kept.isWhole || input.only.length > 0) return steps;
    const under = fileSteps(kept.gitDir, kept.underWay.map(wanted), () => true);
    return [
      ...(await refSteps(git, kept, bytes, `hookwright undo ${manifest.id}`)),
      ...steps,
      ...(await indexStep(git, kept, index, indexFile)),
      ...under.map((step) => ({ ...step, what: `${step.what} (git's own record)` })),
      ...(await stashStep(git, kept)),
    ];
  } finally {
    fs.rmSync(indexFile, { force: true });
  }
}

function fileSteps(
  root: string,
  wanted: readonly WantedFile[],
  isSafe: (raw: string) => boolean,
  modes: Readonly<Record<string, number>> = {},
): RestoreStep[] {
  const folders = new Set(wanted.filter(({ kind }) => kind === "folder").map((one) => one.path));
  const order = (one: WantedFile): number => (one.kind === "absent" ? 0 : one.kind === "folder" ? 1 : 2);
  return wanted
    .filter((one) => !hasWantedState(root, one))
    .sort((a, b) => order(a) - order(b))
    .map((one) => {
      const isLost =
        one.kind === "folder" ? isFolderInTheWay(root, one) : !isSafe(one.path) && !isAbsentOrEmpty(root, one.path);
      return {
        what: `${rawToText(one.path)} is ${one.kind === "absent" ? "gone" : "back"}`,
        isNewer: isLost && !hasWantedContent(root, one),
        run: async () => writeWanted(root, one, folders, modes),
      };
    });
}

function isFolderInTheWay(root: string, one: WantedFile): boolean {
  return statOf(diskPathOf(root, one.path)) !== undefined && !isFolder(root, one.path);
}

function isFolder(root: string, raw: string): boolean {
  return statOf(diskPathOf(root, raw))?.isDirectory() === true;
}

/** Tracked files that had the content of the index when the snapshot was taken: git still has this content. */
async function unchanged(
  git: Git,
  indexFile: string,
  root: string,
  isMeant: (raw: string) => boolean,
  modes: Readonly<Record<string, number>>,
  hadUsualMode: (raw: string) => boolean,
): Promise<WantedFile[]> {
  const env = { GIT_INDEX_FILE: indexFile };
  const listed = zeroSeparated(await git(["ls-files", "-s", "-v", "-z"], { env }));
  const entries = new Map<string, string>();
  const wanted: WantedFile[] = [];
  for (const line of listed) {
    const [, tag = "", mode = "", file = ""] = /^(\S) (\d+) \w+ 0\t(.*)$/s.exec(line) ?? [];
    if (file === "" || mode === GITLINK || !isMeant(file)) continue;
    if (!/s/i.test(tag)) entries.set(file, mode);
    // A sparse checkout had left the file out.
    else if (statOf(diskPathOf(root, file))) wanted.push({ path: file, kind: "absent", mode: 0 });
  }
  const fullMode = (raw: string, mode: string): number => modes[raw] ?? (mode === EXECUTABLE ? 0o755 : 0o644);
  await git(["update-index", "-q", "--refresh"], { env, alsoFine: [1] });
  const differing = new Set(zeroSeparated(await git(["diff-files", "--name-only", "-z"], { env })));
  const scratch = fs.mkdtempSync(`${indexFile}.files-`);
  try {
    const missing = [...entries.keys()].filter((file) => differing.has(file));
    if (missing.length > 0) {
      // Writes the files as a checkout would, with line endings and filters, but into the scratch folder.
      const input = Buffer.from(`${missing.join("\0")}\0`, "latin1");
      await git(["checkout-index", "--force", "-z", "--stdin", `--prefix=${scratch}/`], { env, input });
    }
    for (const [file, mode] of entries) {
      if (!differing.has(file)) {
        const found = statOf(diskPathOf(root, file));
        if (!found?.isFile()) continue;
        // Git compares only the executable bit, and with `core.fileMode` off not even that.
        const now = found.mode & 0o7777;
        const isOther = file in modes ? now !== modes[file] : hadUsualMode(file) && !USUAL_MODES.file.includes(now);
        if (!isOther) continue;
        wanted.push({
          path: file,
          kind: "file",
          mode: fullMode(file, mode),
          bytes: fs.readFileSync(diskPathOf(root, file)),
        });
        continue;
      }
      const place = diskPathOf(scratch, file);
      const isLink = mode === LINK;
      const bytes = isLink ? fs.readlinkSync(place, "buffer") : fs.readFileSync(place);
      wanted.push({ path: file, kind: isLink ? "link" : "file", mode: fullMode(file, mode), bytes });
    }
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
  return wanted;
}

/** Files that git tracks now but did not track then: they came with another commit. */
async function addedSince(
  git: Git,
  indexFile: string,
  hasIndex: boolean,
  isMeant: (raw: string) => boolean,
): Promise<WantedFile[]> {
  const env = { GIT_INDEX_FILE: indexFile };
  const before = new Set(hasIndex ? zeroSeparated(await git(["ls-files", "-z"], { env })) : []);
  const now = zeroSeparated(await git(["ls-files", "-z"]));
  return now
    .filter((file) => !before.has(file) && isMeant(file))
    .map((file) => ({ path: file, kind: "absent", mode: 0 }));
}

/** Tells whether a path is committed and unchanged now, so that nothing is lost when it is replaced. */
async function safeNow(git: Git): Promise<(raw: string) => boolean> {
  const tracked = new Set(zeroSeparated(await git(["ls-files", "-z"])));
  const lines = zeroSeparated(await git(["status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=no"]));
  for (const line of lines)
    tracked.delete(
      line
        .split(" ")
        .slice(line.startsWith("u") ? 10 : 8)
        .join(" "),
    );
  return (raw) => tracked.has(raw);
}
