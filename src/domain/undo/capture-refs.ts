import type { LossScope } from "../../core/verdict.ts";
import { type Collection, SnapshotImpossible } from "./collection.ts";
import type { Git } from "./git.ts";
import { type KeptGit, type KeptStash, SNAPSHOT_REFS } from "./manifest.ts";

/** Every ref becomes a parent of the snapshot's commit; more would make the snapshot slow. */
const MOST_REFS = 20_000;
const FORMAT = "--format=%(refname) %(objectname) %(objecttype) %(*objectname) %(*objecttype)";
const STASH = "refs/stash";

interface Ref {
  readonly name: string;
  readonly object: string;
  readonly type: string;
  /** What a tag with a message points to. */
  readonly target: string;
  readonly targetType: string;
}

/** Branches, stashes and the refs that the command may change, and the ids of existing snapshots. */
export interface RepositoryRefs {
  readonly all: readonly Ref[];
  readonly stashes: readonly KeptStash[];
  readonly snapshots: ReadonlySet<string>;
}

export async function readRefs(git: Git, scope: LossScope): Promise<RepositoryRefs> {
  const listed = latin1Lines(
    await git(["for-each-ref", FORMAT, "refs/heads", STASH, SNAPSHOT_REFS, ...(scope.git?.refs ?? [])]),
  );
  const refs = listed.map((line): Ref => {
    const [name = "", object = "", type = "", target = "", targetType = ""] = line.split(" ");
    return { name, object, type, target, targetType };
  });
  const all = refs.filter(({ name }) => !name.startsWith(`${SNAPSHOT_REFS}/`));
  const snapshots = refs.flatMap(({ name }) =>
    name.startsWith(`${SNAPSHOT_REFS}/`) ? [name.slice(SNAPSHOT_REFS.length + 1)] : [],
  );
  const stashes = all.some(({ name }) => name === STASH) ? await readStashes(git) : [];
  return { all, stashes, snapshots: new Set(snapshots) };
}

export async function readStashes(git: Git): Promise<KeptStash[]> {
  const args = ["reflog", "show", "--no-show-signature", "--format=%H %gs", STASH, "--"];
  return latin1Lines(await git(args, { alsoFine: [128] })).map((line) => {
    const end = line.indexOf(" ");
    return { commit: line.slice(0, end), message: line.slice(end + 1) };
  });
}

/** The refs for the manifest, and the commits that must stay reachable. */
export async function captureRefs(
  git: Git,
  { all, stashes }: RepositoryRefs,
  scope: LossScope,
  collection: Collection,
): Promise<Pick<KeptGit, "branches" | "refs" | "tags" | "stashes"> & { commits: readonly string[] }> {
  if (all.length > MOST_REFS) throw new SnapshotImpossible(`there are more than ${MOST_REFS} branches and tags`);
  const isBranch = ({ name }: Ref): boolean => name.startsWith("refs/heads/");
  const others = all.filter((ref) => !isBranch(ref) && ref.name !== STASH);
  const odd = others.find(({ type, targetType }) => type !== "commit" && !(type === "tag" && targetType === "commit"));
  if (odd) throw new SnapshotImpossible(`${odd.name} points to something that is not a commit`);
  const found = new Map(all.map(({ name, object }) => [name, object]));
  const named = (scope.git?.refs ?? []).filter((name) => !found.has(name) && !name.endsWith("/"));
  return {
    branches: Object.fromEntries(all.filter(isBranch).map(({ name, object }) => [name, object])),
    // A ref that does not exist yet has to be removed by `undo`.
    refs: Object.fromEntries([
      ...others.map(({ name, object }) => [name, object]),
      ...named.map((name) => [name, null]),
    ]),
    tags: await keepTags(git, others, collection),
    stashes,
    commits: [
      ...new Set([
        ...all.map(({ type, object, target }) => (type === "tag" ? target : object)),
        ...stashes.map(({ commit }) => commit),
      ]),
    ],
  };
}

/** An annotated tag is an object that git deletes once no ref points to it. */
async function keepTags(git: Git, refs: readonly Ref[], collection: Collection): Promise<Record<string, number>> {
  const tags: Record<string, number> = {};
  for (const { object, type } of refs) {
    if (type !== "tag" || object in tags) continue;
    await collection.step();
    const bytes = await git(["cat-file", "tag", object]);
    tags[object] = collection.content(bytes.length, () => bytes);
  }
  return tags;
}

export function latin1Lines(output: Buffer): string[] {
  return output.toString("latin1").split("\n").filter(Boolean);
}
