import fs from "node:fs";
import path from "node:path";
import type { Git } from "./git.ts";
import { zeroSeparated } from "./git.ts";
import type { KeptGit } from "./manifest.ts";

/** Something that is to be put back, in words; `isNewer` when that would lose what came after. */
export interface Step {
  readonly what: string;
  readonly isNewer: boolean;
  run(): Promise<void>;
}

const NO_OBJECT = "0".repeat(40);

/** Branches and what is checked out. */
export async function refSteps(git: Git, kept: KeptGit, reason: string): Promise<Step[]> {
  const text = async (args: readonly string[]): Promise<string> =>
    (await git(args, { alsoFine: [1] })).toString().trim();
  const now = await branchesOf(git);
  const [head, tip] = [
    await text(["symbolic-ref", "--quiet", "HEAD"]),
    await text(["rev-parse", "-q", "--verify", "HEAD"]),
  ];
  const steps: Step[] = [];
  for (const [ref, commit] of Object.entries(kept.branches)) {
    const current = now.get(ref);
    if (current === commit) continue;
    const others = [...now].filter(([name]) => name !== ref).map(([, object]) => object);
    steps.push({
      what: `${ref.replace("refs/heads/", "the branch ")} points to ${commit.slice(0, 10)} again`,
      isNewer: current !== undefined && (await isOnlyIn(git, current, [commit, ...others])),
      run: async () => {
        await git(["update-ref", "-m", reason, ref, commit, current ?? NO_OBJECT]);
        const name = ref.slice("refs/heads/".length);
        const own = kept.settings.filter(([key]) => key.startsWith(`branch.${name}.`));
        if (current === undefined) for (const [key, value] of own) await git(["config", "--replace-all", key, value]);
      },
    });
  }
  const isBranch = kept.head.startsWith("refs/");
  if (isBranch ? head !== kept.head : head !== "" || tip !== kept.head) {
    const kinds = [kept.head, ...Object.values(kept.branches), ...[...now.values()]].filter(
      (one) => !/^refs/.test(one),
    );
    steps.push({
      what: `${isBranch ? kept.head.replace("refs/heads/", "the branch ") : kept.head.slice(0, 10)} is checked out again`,
      isNewer: head === "" && tip !== "" && (await isOnlyIn(git, tip, kinds)),
      run: async () => {
        if (isBranch) await git(["symbolic-ref", "-m", reason, "HEAD", kept.head]);
        else await git(["update-ref", "--no-deref", "-m", reason, "HEAD", kept.head]);
      },
    });
  }
  return steps;
}

async function branchesOf(git: Git): Promise<Map<string, string>> {
  const listed = (await git(["for-each-ref", "--format=%(refname) %(objectname)", "refs/heads"])).toString("latin1");
  return new Map(
    listed
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split(" ") as [string, string]),
  );
}

/** Does this commit have any that none of the others has? */
async function isOnlyIn(git: Git, commit: string, others: readonly string[]): Promise<boolean> {
  const input = Buffer.from([commit, ...others.map((one) => `^${one}`)].map((one) => `${one}\n`).join(""));
  return (await git(["rev-list", "--max-count=1", "--stdin"], { input })).length > 0;
}

/** Stashes, in their old order; newer ones stay on top. */
export async function stashStep(git: Git, kept: KeptGit): Promise<Step[]> {
  const listed = await git(["reflog", "show", "--no-show-signature", "--format=%H %gs", "refs/stash", "--"], {
    alsoFine: [128],
  });
  const now = listed.toString("latin1").split("\n").filter(Boolean);
  const before = kept.stashes.map(({ commit, message }) => `${commit} ${message}`);
  const newer = now.filter((line) => !before.includes(line));
  const wanted = [...newer, ...before];
  if (wanted.join("\n") === now.join("\n")) return [];
  const missing = before.filter((line) => !now.includes(line)).length;
  return [
    {
      what: `${missing} ${missing === 1 ? "stash is" : "stashes are"} back`,
      isNewer: false,
      run: async () => {
        // The snapshot keeps every old one alive meanwhile; the newer ones are put back from the list just read.
        if (now.length > 0) await git(["update-ref", "-d", "refs/stash"]);
        for (const line of wanted.toReversed()) {
          const end = line.indexOf(" ");
          const message = Buffer.from(line.slice(end + 1), "latin1").toString();
          await git(["stash", "store", "--quiet", "-m", message, line.slice(0, end)]);
        }
      },
    },
  ];
}

/** The index as a whole, byte for byte. */
export async function indexStep(git: Git, kept: KeptGit, before: Buffer | undefined, file: string): Promise<Step[]> {
  const place = path.join(kept.gitDir, "index");
  const entries = async (env?: Record<string, string>): Promise<string[]> =>
    zeroSeparated(await git(["ls-files", "-s", "-v", "-z"], env ? { env } : {}));
  const old = new Set(before ? await entries({ GIT_INDEX_FILE: file }) : []);
  const now = await entries();
  if (now.length === old.size && now.every((entry) => old.has(entry))) return [];
  const staged = zeroSeparated(
    await git(["status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=no"]),
  ).filter((line) => /^(?:1 [AMT]|u )/.test(line));
  const objects = [...old].join("\n");
  const isNewer = staged.some((line) => !objects.includes(line.split(" ")[7] ?? "-"));
  return [
    {
      what: "what is staged is as it was",
      isNewer,
      run: async () => {
        if (!before) return fs.rmSync(place, { force: true });
        const lock = `${place}.lock`;
        // Git's own way to write it: whoever makes this file has the index to itself.
        fs.writeFileSync(lock, before, { flag: "wx" });
        fs.renameSync(lock, place);
      },
    },
  ];
}
