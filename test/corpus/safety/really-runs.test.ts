import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { sampled, sized } from "../../support/long.ts";
import { type Line, readCorpus } from "./lines.mjs";
import { type Call, canSeal, LAUNCHERS, SealedBash } from "./sealed-bash.ts";

// Labels are claims about what bash does. Here bash says what it does, in a room where nothing can be lost.

const FAMILIES = ["rm", "rm-evasive", "wrappers", "nested", "encoded", "find-xargs", "scripts"];
const DESTROYERS = ["rm", "unlink", "shred", "srm", "truncate", "dd", "chmod", "chown", "cp", "mv"];
/** Run by something that is only a stub in the room, so that its words are all there is to see. */
const RUNNERS = [...LAUNCHERS, "python3", "python", "perl", "ruby", "node", "make", "psql", "mysql", "crontab", "git"];
/** Lines that need what the room does not have, or whose program acts without starting another. */
const OUT_OF_REACH = [
  [/-delete\b/, "find deletes by itself"],
  [/^(trap|coproc|select|command -p)\b/, "ends before or after what can be seen, or takes another path"],
  [/\b(ls|fd|locate|rg|grep|cat|cut|git ls-files|find)\b.*\| *(xargs|parallel|while)/, "there is nothing to find"],
  [/\$\(find|\bfind (?!.*\/etc).*-exec/, "there is nothing to find"],
  [/print0 \||<\(find|tr -d/, "there is nothing to find"],
  [/\/tmp\/list/, "there is nothing to find"],
  [/&$/, "goes on when the room is already closed"],
  [/^for f in ~/, "there is nothing to find"],
  [/dscl|Makefile/, "no such program"],
  [/-ok(dir)? /, "asks a person first, and nobody is in the room"],
  [/^until !/, "goes on until the folder is gone, which a stub never brings about"],
] as const;
/** What destructive lines speak of. Look-alikes find the room empty: what is there then, they have made. */
const FURNITURE = {
  "project/src/main.ts": "",
  "project/README.md": "",
  "project/list.txt": "src\n",
  "project/dirs.txt": "src\n",
  "srv/app/releases/1": "",
  "var/www/html/index.html": "",
  "home/dev/projects/api/main.ts": "",
};
/** Names of what a build, a test run or a tool makes, and makes again. */
const MADE = [
  /\/(node_modules|dist|build|out|target|coverage|tmp|__pycache__|\.(?!git|env|ssh)[\w-]+|cmake-build-debug)(\/|$)/,
  /\/(storybook-static|playwright-report|test-results|Pods|DerivedData|obj)(\/|$)/,
  /\.(pyc|py\[co\]|o|egg-info|aux|toc)(\/|$)/,
  /\.log(\.?\*)?$/,
  /\/(a\.out|nohup\.out|core\.\*)$/,
];

/** Of so many lines the short form lets bash run one. */
const STEP = 4;
const all = process.env.HOOKWRIGHT_ALL_LINES === "1";
const sealed = canSeal();
if (!sealed) console.log("skipped: this machine cannot make a sealed room (needs Linux and root)");

const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-sealed-")));
afterAll(() => fs.rmSync(root, { recursive: true, force: true }), 60_000);

describe.skipIf(!sealed)("what the labels claim", () => {
  const known = readCorpus().filter((line) => FAMILIES.includes(line.family) && (all || !line.heldOut));
  const chosen = (side: Line["expect"]) =>
    sampled(
      known.filter(({ expect }) => expect === side),
      STEP,
    );

  test("destructive lines reach a program that destroys", { timeout: 600_000 }, async () => {
    const bash = new SealedBash(fs.mkdtempSync(path.join(root, "block-")), FURNITURE);
    const tally = { ran: 0, reached: 0, handedOver: 0, skipped: 0 };
    const wrong = new Wrong();
    for (const line of chosen("block")) {
      if (OUT_OF_REACH.some(([pattern]) => pattern.test(line.command))) {
        tally.skipped++;
        continue;
      }
      tally.ran++;
      const calls = await bash.run(line.command);
      if (calls.some(destroys)) tally.reached++;
      else if (calls.some(handsOver)) tally.handedOver++;
      else wrong.add(line, calls);
    }
    console.log(`destructive lines that bash ran: ${JSON.stringify({ ...tally, wrongHeldOut: wrong.heldOut })}`);
    expect(wrong.told.join("\n")).toBe("");
    expect(tally.reached).toBeGreaterThan(sized(80 / STEP, 80));
  });

  test("look-alikes destroy nothing but what can be made again", { timeout: 600_000 }, async () => {
    const bash = new SealedBash(fs.mkdtempSync(path.join(root, "allow-")));
    const tally = { ran: 0, deleted: 0 };
    const wrong = new Wrong();
    for (const line of chosen("allow")) {
      tally.ran++;
      const calls = await bash.run(line.command);
      const deleted = calls.filter(({ argv }) => ["rm", "unlink", "shred", "srm", "dd"].includes(argv[0] ?? ""));
      const targets = deleted.flatMap((call) => targetsOf(call));
      tally.deleted += targets.length;
      if (targets.some(({ place, present }) => !canBeMadeAgain(place) && !(present && place.startsWith("/project/"))))
        wrong.add(line, calls);
    }
    console.log(`look-alikes that bash ran: ${JSON.stringify({ ...tally, wrongHeldOut: wrong.heldOut })}`);
    expect(wrong.told.join("\n")).toBe("");
    expect(tally.deleted).toBeGreaterThan(sized(20 / STEP, 20));
  });
});

/** Lines that bash does not bear out. Those of the held-out half are counted and never told. */
class Wrong {
  readonly told: string[] = [];
  heldOut = 0;

  add(line: Line, calls: readonly Call[]): void {
    const seen = calls.map(({ argv }) => argv.join(" ")).join(" ; ") || "nothing";
    if (line.heldOut) this.heldOut++;
    else this.told.push(`${line.where} ${line.command}\n    bash started: ${seen}`);
  }
}

function destroys({ argv }: Call): boolean {
  if (argv[0] === "git") return argv[1] === "reset" && argv.includes("--hard");
  return DESTROYERS.includes(argv[0] ?? "") && argv.length > 1;
}

function handsOver({ argv, input }: Call): boolean {
  if (!RUNNERS.includes(argv[0] ?? "")) return false;
  return /\b(rm|rmtree|rmSync|unlink|delete|push|shred|DROP|dd|base64|b64)\b/i.test(
    `${argv.slice(1).join(" ")} ${input}`,
  );
}

function targetsOf({ argv, folder, present }: Call): { place: string; present: boolean }[] {
  const words = argv.slice(1).filter((word) => !word.startsWith("-"));
  return words.map((word) => ({ place: path.posix.resolve(folder, word), present: present.includes(word) }));
}

function canBeMadeAgain(place: string): boolean {
  if (/^(\/private)?\/(tmp|var\/tmp)\//.test(place)) return true;
  return place.startsWith("/project/") && MADE.some((name) => name.test(place.slice("/project".length)));
}
