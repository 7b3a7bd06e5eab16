import { knownSettings, SETTINGS_QUERY } from "../git-loss.ts";
import { latin1Lines, readStashes } from "./capture-refs.ts";
import type { Git } from "./git.ts";
import { type KeptGit, rawToText } from "./manifest.ts";
import type { RestoreStep } from "./restore-git.ts";

const HEADS = "refs/heads/";

/** Restores branches, the other recorded refs, and what is checked out. */
export async function refSteps(
  git: Git,
  kept: KeptGit,
  bytes: ReadonlyMap<number, Buffer>,
  reason: string,
): Promise<RestoreStep[]> {
  const others = kept.refs ?? {};
  const now = await refsNow(git, Object.keys(others));
  const settings = knownSettings((await git(SETTINGS_QUERY, { alsoFine: [1] })).toString()).branches;
  const isOnly = (object: string, besides: readonly string[], own?: string): Promise<boolean> =>
    isOnlyIn(git, object, [...besides, ...[...now].filter(([name]) => name !== own).map(([, one]) => one)]);
  const gone: RestoreStep[] = [];
  const back: RestoreStep[] = [];
  for (const [ref, object] of Object.entries({ ...others, ...kept.branches })) {
    const current = now.get(ref);
    if (current === (object ?? undefined)) continue;
    const name = ref.replace(HEADS, "the branch ").replace("refs/tags/", "the tag ");
    if (object === null) {
      gone.push({
        what: `${rawToText(name)} is gone`,
        isNewer: current !== undefined && (await isOnly(current, Object.values(kept.branches), ref)),
        run: async () => {
          await change(git, reason, `delete ${ref}\0${current}\0`);
          await restoreSettings(git, ref, [], settings);
        },
      });
      continue;
    }
    back.push({
      what: `${rawToText(name)} points to ${object.slice(0, 10)} again`,
      isNewer: current !== undefined && (await isOnly(current, [object], ref)),
      run: async () => {
        const tag = bytes.get(kept.tags?.[object] ?? -1);
        if (tag) await git(["hash-object", "-t", "tag", "-w", "--stdin"], { input: tag });
        await change(git, reason, `update ${ref}\0${object}\0${current ?? "0".repeat(object.length)}\0`);
        await restoreSettings(git, ref, kept.settings, settings);
      },
    });
  }
  // Deletions first: a ref `a/b` prevents a ref `a`.
  return [...gone, ...back, ...(await headStep(git, kept, reason, isOnly))];
}

async function headStep(
  git: Git,
  kept: KeptGit,
  reason: string,
  isOnly: (object: string, besides: readonly string[]) => Promise<boolean>,
): Promise<RestoreStep[]> {
  const ask = async (...args: string[]): Promise<string> =>
    (await git(args, { alsoFine: [1] })).toString("latin1").trim();
  const head = await ask("symbolic-ref", "--quiet", "HEAD");
  const tip = await ask("rev-parse", "-q", "--verify", "HEAD");
  const isBranch = kept.head.startsWith("refs/");
  if (isBranch ? head === kept.head : head === "" && tip === kept.head) return [];
  const commits = [...Object.values(kept.branches), ...(isBranch ? [] : [kept.head])];
  const name = isBranch ? rawToText(kept.head).replace(HEADS, "the branch ") : kept.head.slice(0, 10);
  return [
    {
      what: `${name} is checked out again`,
      isNewer: head === "" && tip !== "" && (await isOnly(tip, commits)),
      run: async () => {
        if (isBranch) await git(["symbolic-ref", "-m", reason, "HEAD", rawToText(kept.head)]);
        else await git(["update-ref", "--no-deref", "-m", reason, "HEAD", kept.head]);
      },
    },
  ];
}

/** Ref names may contain any bytes, so they are passed on standard input instead of as arguments. */
async function change(git: Git, reason: string, line: string): Promise<void> {
  await git(["update-ref", "-m", reason, "--stdin", "-z"], { input: Buffer.from(line, "latin1") });
}

/** Restores the settings of a branch together with the branch. */
async function restoreSettings(git: Git, ref: string, kept: KeptGit["settings"], now: KeptGit["settings"]) {
  if (!ref.startsWith(HEADS)) return;
  const section = `branch.${rawToText(ref.slice(HEADS.length))}`;
  const own = (settings: KeptGit["settings"]) =>
    settings.filter(([key]) => key.startsWith(`${section}.`) && !key.slice(section.length + 1).includes("."));
  const [wanted, there] = [own(kept), own(now)];
  if (JSON.stringify(wanted) === JSON.stringify(there)) return;
  if (there.length > 0) await git(["config", "--local", "--remove-section", section]);
  for (const [key, value] of wanted) await git(["config", "--local", "--add", key, value]);
}

async function refsNow(git: Git, names: readonly string[]): Promise<Map<string, string>> {
  const listed = latin1Lines(await git(["for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", ...names]));
  return new Map(listed.map((line) => line.split(" ") as [string, string]));
}

/** Does this commit have ancestors, or is itself one, that none of the others reaches? */
async function isOnlyIn(git: Git, commit: string, others: readonly string[]): Promise<boolean> {
  const input = Buffer.from([commit, ...others.map((one) => `^${one}`)].map((one) => `${one}\n`).join(""));
  return (await git(["rev-list", "--max-count=1", "--stdin"], { input })).length > 0;
}

/** Restores the stashes in their old order; newer ones stay on top. */
export async function stashStep(git: Git, kept: KeptGit): Promise<RestoreStep[]> {
  const asLine = ({ commit, message }: KeptGit["stashes"][number]): string => `${commit} ${message}`;
  const now = (await readStashes(git)).map(asLine);
  const before = kept.stashes.map(asLine);
  const wanted = [...now.filter((line) => !before.includes(line)), ...before];
  if (wanted.join("\n") === now.join("\n")) return [];
  const missing = before.filter((line) => !now.includes(line)).length;
  return [
    {
      what: `${missing} ${missing === 1 ? "stash is" : "stashes are"} back`,
      isNewer: false,
      run: async () => {
        // Meanwhile the snapshot keeps the old stashes reachable; the newer ones are stored again from the list just read.
        if (now.length > 0) await git(["update-ref", "-d", "refs/stash"]);
        for (const line of wanted.toReversed()) {
          const end = line.indexOf(" ");
          await git(["stash", "store", "--quiet", "-m", rawToText(line.slice(end + 1)), line.slice(0, end)]);
        }
      },
    },
  ];
}
