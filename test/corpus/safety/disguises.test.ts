import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sized } from "../../support/long.ts";
import { type Disguised, disguised } from "./disguises.ts";
import { type Judge, openJudge } from "./judge.mjs";
import { canSeal, SealedBash } from "./sealed-bash.ts";

const SEED = Number(process.env.HOOKWRIGHT_SEED ?? 20_261_115);
const RUNS = Number(process.env.HOOKWRIGHT_DISGUISES ?? sized(400, 1500));

const DESTRUCTIVE = [
  ["rm", "-rf", "/srv/data"],
  ["rm", "-r", "-f", "/"],
  ["shred", "-u", "/home/dev/keys.txt"],
  ["truncate", "-s", "0", "/var/lib/app/app.db"],
  ["dd", "if=/dev/zero", "of=/dev/sda"],
  ["chmod", "-R", "000", "/etc"],
  ["chown", "-R", "nobody", "/usr"],
  ["git", "reset", "--hard"],
  ["git", "push", "--force", "origin", "main"],
  ["find", "/srv", "-type", "f", "-delete"],
  ["terraform", "destroy", "-auto-approve"],
  ["kubectl", "delete", "namespace", "shop"],
  ["docker", "volume", "rm", "pgdata"],
  ["psql", "-c", "DROP TABLE users"],
  ["npm", "publish"],
  ["crontab", "-r"],
] as const;

const HARMLESS = [
  ["rm", "-rf", "node_modules"],
  ["rm", "-f", "/tmp/out.log"],
  ["echo", "rm -rf /"],
  ["printf", "%s\\n", "git push --force"],
  ["grep", "-rn", "rm -rf /", "docs"],
  ["ls", "-la", "/"],
  ["chmod", "+x", "run.sh"],
  ["git", "status"],
  ["git", "commit", "-m", "Drop rm -rf / from the script"],
  ["git", "push", "--force-with-lease"],
  ["find", ".", "-name", "*.ts"],
  ["terraform", "plan", "-destroy"],
  ["kubectl", "get", "namespace"],
  ["docker", "volume", "ls"],
  ["psql", "-c", "SELECT 'DROP TABLE users'"],
  ["npm", "publish", "--dry-run"],
  ["crontab", "-l"],
] as const;

let judge: Judge;
beforeAll(async () => {
  judge = await openJudge();
}, 180_000);
afterAll(() => judge.close());

const isCaught = async (line: string): Promise<boolean> => (await judge.check(line)).verdict !== "pass";

describe.each([
  ["destructive", DESTRUCTIVE, true],
  ["harmless", HARMLESS, false],
] as const)("%s commands", (name, bases, caught) => {
  test("are judged right as they are", async () => {
    const wrong: string[] = [];
    for (const base of bases) if ((await isCaught(bare(base))) !== caught) wrong.push(bare(base));
    expect(wrong).toEqual([]);
  });

  test(`are judged the same in ${RUNS} disguises`, { timeout: 600_000 }, async () => {
    const right: (readonly string[])[] = [];
    for (const base of bases) if ((await isCaught(bare(base))) === caught) right.push(base);
    const tally = new Map<string, number>();
    const wrong = new Map<string, string>();
    const lines = fc.sample(fc.constantFrom(...right).chain(disguised), { numRuns: RUNS, seed: SEED });
    for (const { line, used } of lines) {
      for (const one of used) tally.set(one, (tally.get(one) ?? 0) + 1);
      // The shortest line for each combination says most.
      const key = used.join(" + ");
      if ((await isCaught(line)) === caught) continue;
      if (line.length < (wrong.get(key)?.length ?? Number.POSITIVE_INFINITY)) wrong.set(key, line);
    }
    console.log(`${name}, seed ${SEED}, ${lines.length} lines: ${JSON.stringify(Object.fromEntries(tally))}`);
    const shortest = [...wrong].sort(([, a], [, b]) => a.length - b.length);
    expect(
      shortest
        .slice(0, 15)
        .map(([key, line]) => `[${key}]\n${line}`)
        .join("\n\n"),
    ).toBe("");
    expect([...tally.values()].every((count) => count >= RUNS / 200)).toBe(true);
  });
});

// A disguise that bash does not see through would prove nothing.
describe.skipIf(!canSeal())("the disguises", () => {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-disguises-")));
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }), 60_000);

  test("end in the same call when bash runs them", { timeout: 300_000 }, async () => {
    const argv = ["rm", "-rf", "/srv/it's $HOME \\ data"];
    const bash = new SealedBash(fs.mkdtempSync(path.join(root, "room-")));
    const launched = /\b(sudo|stdbuf|setsid)\b/;
    const lines = fc
      .sample(disguised(argv), { numRuns: sized(80, 200), seed: SEED })
      .filter(({ used }) => !used.some((one) => launched.test(one)));
    const wrong: Disguised[] = [];
    for (const disguise of lines) {
      const calls = await bash.run(disguise.line);
      if (!calls.some((call) => JSON.stringify(call.argv) === JSON.stringify(argv))) wrong.push(disguise);
    }
    expect(wrong).toEqual([]);
    expect(lines.length).toBeGreaterThan(sized(40, 100));
  });
});

function bare(argv: readonly string[]): string {
  return argv.map((word) => (/^[\w./:=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}
