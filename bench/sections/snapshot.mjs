// What a loss in a large repository costs with `onLoss: snapshot`: the whole decision, from the event to the answer.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { SESSION } from "../events.mjs";
import { runResident } from "../scratch.mjs";
import { check, rounded, spread } from "../statistics.mjs";

const FILES = 10_000;
const CHANGED = 300;
const UNTRACKED = 300;
const LOSSES = ["git reset --hard", "git clean -fd", "git checkout -f HEAD~1", "rm -rf src/7"];
/** Well under a second, and in proportion to what git itself needs to look at the files. */
const LIMIT_RATIO = 8;
const IDENTITY = ["-c", "user.name=A", "-c", "user.email=a@b.test", "-c", "gc.auto=0"];

export async function measureSnapshot(bench) {
  const { scratch, isQuick } = bench;
  const place = bench.install("snapshot");
  fs.writeFileSync(path.join(place.home, "config.yml"), "safety: { onLoss: snapshot }\n", { mode: 0o600 });
  const repository = scratch.at("repository");
  makeRepository(repository, scratch.env);
  const event = (command) =>
    JSON.stringify({
      session_id: SESSION,
      cwd: repository,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_use_id: "toolu_@@@@",
      tool_input: { command },
    });
  const times = await runResident(scratch, place, {
    task: "snapshot",
    home: place.home,
    args: ["--reply", "json", "--via", "user", "--profile", "safety"],
    cwd: repository,
    env: scratch.env,
    number: "@@@@",
    runs: isQuick ? 3 : 15,
    events: Object.fromEntries(LOSSES.map((command) => [command, event(command)])),
  });
  fs.rmSync(repository, { recursive: true });
  const rows = LOSSES.map((name) => {
    const [status, whole] = [spread(times[name].status), spread(times[name].whole)];
    return { name, ...whole, status: status.median, ratio: rounded(whole.median / status.median) };
  });
  const worst = rows.reduce((a, b) => (a.median > b.median ? a : b));
  const row = `snapshot, ${FILES.toLocaleString("en-US")} files`;
  const enforced = !isQuick;
  return {
    files: FILES,
    changed: CHANGED,
    untracked: UNTRACKED,
    rows,
    checks: [check({ row, measure: "x git status", value: worst.ratio, limit: LIMIT_RATIO, unit: "x", enforced })],
  };
}

function makeRepository(folder, env) {
  const git = (...args) => execFileSync("git", [...IDENTITY, ...args], { cwd: folder, env, stdio: "pipe" });
  const write = (name, text) => {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  };
  const nameOf = (n) => `src/${n % 100}/${n % 7}/${n}.txt`;
  fs.mkdirSync(folder);
  git("init", "--quiet");
  for (let n = 0; n < FILES; n++) write(nameOf(n), `file ${n}\n`.repeat(50));
  git("add", "--all");
  git("commit", "--quiet", "--message", "first");
  write(nameOf(0), "second\n");
  git("commit", "--quiet", "--all", "--message", "second");
  for (let n = 0; n < CHANGED; n++) write(nameOf(n * 31), `changed ${n}\n`.repeat(50));
  for (let n = 0; n < UNTRACKED; n++) write(`new/${n % 10}/${n}.txt`, `new ${n}\n`.repeat(50));
  git("status");
}
