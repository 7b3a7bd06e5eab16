/** Kills plan commands during a write and runs many of them at once: no file is ever incomplete, and no change is lost. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Running } from "../../../../test/support/processes.ts";
import { LAUNCHER, World } from "../../../../test/support/world.ts";
import { planText } from "../../../domain/plan/plan.samples.ts";

const PLAN = "docs/plan.md";
const POINTS = ["plan-half-written", "plan-before-rename"] as const;

let world: World;
let stateFile: string;
let planFile: string;
beforeEach(() => {
  world = new World();
  world.allowCrashPoints();
  stateFile = path.join(world.project, ".claude/orchestrator-state.json");
  planFile = path.join(world.project, PLAN);
  fs.mkdirSync(path.dirname(planFile));
  fs.writeFileSync(planFile, planText(["pending", "pending", "pending"]));
});
afterEach(() => world.dispose());

const begin = (args: readonly string[], env: Record<string, string> = {}): Running =>
  world.start([process.execPath, LAUNCHER, "plan", ...args], { env });

async function killAt(args: readonly string[], point: string): Promise<void> {
  const running = begin(args, { HOOKWRIGHT_CRASH_POINT: point });
  await running.sees("stderr", new RegExp(`^crash point ${point} reached by ${running.pid}$`, "m"));
  running.kill("SIGKILL");
  expect((await running.ended).signal).toBe("SIGKILL");
}

const drafts = (file: string): string[] => fs.readdirSync(path.dirname(file)).filter((name) => name.endsWith(".tmp"));

describe.each(POINTS)("killed at %s", (point) => {
  it("a start leaves no state at all, and the next one succeeds and cleans up", async () => {
    await killAt(["start", PLAN], point);
    expect(fs.existsSync(stateFile)).toBe(false);
    expect(drafts(stateFile)).toHaveLength(1);
    expect(await begin(["start", PLAN]).ended).toMatchObject({ exit: 0 });
    expect(JSON.parse(fs.readFileSync(stateFile, "utf8"))).toMatchObject({ active_plan: PLAN, team: "implement-plan" });
    expect(drafts(stateFile)).toEqual([]);
  });

  it("a change of a task leaves the document as it was, and the next one succeeds and cleans up", async () => {
    await begin(["start", PLAN]).ended;
    const before = fs.readFileSync(planFile, "utf8");
    await killAt(["task", "2", "complete"], point);
    expect(fs.readFileSync(planFile, "utf8")).toBe(before);
    expect(await begin(["task", "3", "complete"]).ended).toMatchObject({ exit: 0 });
    expect(fs.readFileSync(planFile, "utf8")).toBe(planText(["pending", "pending", "complete"]));
    expect(drafts(planFile)).toEqual([]);
  });
});

describe("at the same time", () => {
  it("twelve processes each change a task, and every change is there", async () => {
    const count = 12;
    fs.writeFileSync(planFile, planText(Array.from({ length: count }, () => "pending")));
    await begin(["start", PLAN]).ended;
    const running = Array.from({ length: count }, (_, at) => begin(["task", String(at + 1), "complete"]));
    const ended = await Promise.all(running.map((one) => one.ended));
    console.log(`pids ${ended.map(({ pid }) => pid).join(" ")}`);
    expect(ended.map(({ exit }) => exit)).toEqual(Array.from({ length: count }, () => 0));
    expect(fs.readFileSync(planFile, "utf8")).toBe(planText(Array.from({ length: count }, () => "complete")));
  });

  it("of eight that start a plan one succeeds, and the others say so", async () => {
    const ended = await Promise.all(Array.from({ length: 8 }, () => begin(["start", PLAN]).ended));
    expect(ended.filter(({ exit }) => exit === 0)).toHaveLength(1);
    for (const { exit, stderr } of ended) if (exit !== 0) expect(stderr).toContain("A plan is active already");
    expect(JSON.parse(fs.readFileSync(stateFile, "utf8"))).toMatchObject({ active_plan: PLAN });
  });

  it("whoever reads while others write never sees half a file", async () => {
    await begin(["start", PLAN]).ended;
    let isDone = false;
    let reads = 0;
    const reader = (async () => {
      while (!isDone) {
        reads++;
        const text = fs.readFileSync(planFile, "utf8");
        expect(text.endsWith("\n\n") || text.endsWith("|\n"), JSON.stringify(text.slice(-40))).toBe(true);
        expect(text.split("\n").filter((line) => /^\| \d/.test(line))).toHaveLength(3);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (const status of ["in-progress", "complete", "pending", "blocked"]) await begin(["task", "1", status]).ended;
    isDone = true;
    await reader;
    expect(reads).toBeGreaterThan(100);
  });
});
