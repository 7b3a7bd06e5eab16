import fs from "node:fs";
import path from "node:path";
import type { Git } from "./git.ts";
import { zeroSeparated } from "./git.ts";
import type { KeptGit } from "./manifest.ts";

/** One step of a restore, described in words. `isNewer`: the step would lose something newer than the snapshot. */
export interface RestoreStep {
  readonly what: string;
  readonly isNewer: boolean;
  run(): Promise<void>;
}

/** Restores the index, byte for byte. */
export async function indexStep(
  git: Git,
  kept: KeptGit,
  before: Buffer | undefined,
  file: string,
): Promise<RestoreStep[]> {
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
        // The same protocol as git's: whoever creates the lock file may write the index.
        fs.writeFileSync(lock, before, { flag: "wx" });
        fs.renameSync(lock, place);
      },
    },
  ];
}
