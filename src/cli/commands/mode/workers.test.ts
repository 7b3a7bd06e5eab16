import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { workersOf } from "../../../domain/mode/ultrapilot/details.ts";
import { WORKER_TIMEOUT_MS, type Worker } from "../../../domain/mode/ultrapilot/workers.ts";
import { type ModeCall, ModeWorkspace } from "./mode.samples.ts";

let space: ModeWorkspace;
beforeEach(async () => {
  space = new ModeWorkspace();
  await space.run("start ultrapilot port the scripts", AGENT);
});
afterEach(() => space.dispose());

const AGENT = { caller: "agent-one" };
const SPLIT = {
  subtasks: [
    { id: "api", description: "Build the API", files: ["src/api"] },
    { id: "web", description: "Build the pages", files: ["src/web"], blockedBy: ["api"] },
  ],
  sharedFiles: ["src/types.ts"],
};
const given = (value: unknown, more: ModeCall = AGENT): ModeCall => ({ ...more, input: JSON.stringify(value) });
const workers = (): readonly Worker[] => space.runs().flatMap((run) => workersOf(run));
const statuses = (): string[] => workers().map(({ status }) => status);
/** What hooks report of a worker's edits. */
function changed(files: readonly (readonly string[])[]): void {
  space.store((store) => {
    const run = store.get("agent-one", "ultrapilot");
    if (!run) throw new Error("no run");
    const list = workersOf(run).map((worker, at) => ({ ...worker, filesModified: [...(files[at] ?? [])] }));
    store.save({ ...run, details: { ...run.details, workers: list } });
  });
}

describe("split", () => {
  it("gives each worker its files, and the coordinator those that are shared", async () => {
    const { code, out } = await space.run("split", given(SPLIT));
    expect(code).toBe(0);
    const rows = out.split("\n").map((line) => line.trimEnd().split(/ {2,}/));
    expect(rows).toEqual([
      ["worker", "after", "files", "task"],
      ["worker-1", "-", "src/api", "Build the API"],
      ["worker-2", "worker-1", "src/web", "Build the pages"],
      ["Other shared files: src/types.ts"],
    ]);
    expect(workers()).toMatchObject([
      { id: "worker-1", ownedFiles: ["src/api"], status: "pending" },
      { id: "worker-2", blockedBy: ["worker-1"] },
    ]);
    expect(space.read("ultrapilot-state.json")?.workers).toHaveLength(2);
  });

  it("prints the same as JSON", async () => {
    expect(await space.ask("split", given(SPLIT))).toEqual({
      workers: [
        {
          id: "worker-1",
          task: "Build the API",
          files: ["src/api"],
          blockedBy: [],
          status: "pending",
          filesModified: [],
        },
        {
          ...{ id: "worker-2", task: "Build the pages", files: ["src/web"], blockedBy: ["worker-1"] },
          ...{ status: "pending", filesModified: [] },
        },
      ],
      sharedFiles: ["src/types.ts"],
    });
  });

  it("without input takes the items of the request", async () => {
    await space.run("cancel", AGENT);
    await space.run("start ultrapilot", { caller: "agent-two" });
    await expect(space.run("split", { caller: "agent-two" })).rejects.toThrow("has no request to divide");
    await space.run("cancel", { caller: "agent-two" });
    space.have("ultrapilot", "agent-one", { request: "- port a\n- port b\n- port c" });
    await space.run("split", AGENT);
    expect(workers().map(({ id, task }) => [id, task])).toEqual([
      ["worker-1", "port a"],
      ["worker-2", "port b"],
      ["worker-3", "port c"],
    ]);
  });

  it("may be made again until a worker has begun", async () => {
    await space.run("split", given(SPLIT));
    await space.run("split", given({ subtasks: SPLIT.subtasks.slice(0, 1) }));
    expect(workers()).toHaveLength(1);
    await space.run("worker 1 running", AGENT);
    await expect(space.run("split", given(SPLIT))).rejects.toMatchObject({
      code: "HW_MODE_WORKERS",
      message: "worker-1 works already.",
      fix: "Nothing was changed. Wait for it first.",
    });
  });

  const task = (id: string, files: string[], blockedBy: string[] = []) => ({ id, description: id, files, blockedBy });
  it.each<[string, ModeCall, string]>([
    ["no JSON", { ...AGENT, input: "{" }, "Standard input is not JSON ("],
    ["no object", given([1]), "must be an object with a list `subtasks`"],
    ["six parts", given({ subtasks: [1, 2, 3, 4, 5, 6].map((n) => task(`${n}`, [])) }), "at most 5 workers"],
    ["one file for two", given({ subtasks: [task("a", ["src"]), task("b", ["src/b.ts"])] }), "src/b.ts"],
    ["a circle", given({ subtasks: [task("a", [], ["b"]), task("b", [], ["a"])] }), "block each other"],
    ["a path that leads out", given({ subtasks: [task("a", ["../x"])] }), "../x"],
  ])("is refused with %s, and nothing is changed", async (_name, call, message) => {
    await space.run("split", given(SPLIT));
    const before = workers();
    await expect(space.run("split", call)).rejects.toMatchObject({
      code: "HW_MODE_WORKERS",
      message: expect.stringContaining(message),
      fix: expect.stringMatching(/^Nothing was changed\. Pass `\{"subtasks"/),
    });
    expect(workers()).toEqual(before);
  });
});

describe("worker", () => {
  beforeEach(async () => {
    await space.run("split", given(SPLIT));
  });

  it("reports that it runs, is complete and has failed", async () => {
    expect((await space.run("worker 1 running", AGENT)).out).toBe("worker-1 is running: Build the API");
    expect(await space.ask("worker 1 complete", AGENT)).toMatchObject({
      worker: { id: "worker-1", status: "complete" },
    });
    await space.run("worker 2 running", AGENT);
    expect((await space.run("worker 2 failed no network here", AGENT)).out).toBe(
      "worker-2 has failed (no network here): Build the pages",
    );
    expect(statuses()).toEqual(["complete", "failed"]);
  });

  it("from its own session means the only ultrapilot of the project", async () => {
    await space.run("worker 1 running", { caller: "agent-of-a-worker" });
    expect(statuses()).toEqual(["running", "pending"]);
    space.have("ultrapilot", "agent-two");
    await expect(space.run("worker 1 running", { caller: "agent-of-a-worker" })).rejects.toMatchObject({
      code: "HW_MODE_SESSION",
    });
    await space.run("worker 1 complete", { caller: "agent-of-a-worker", options: { session: "agent-one" } });
    expect(workers().find(({ id }) => id === "worker-1")?.status).toBe("complete");
  });

  it.each<[string, string, string, string]>([
    ["before the one that it needs", "worker 2 running", "HW_MODE_WORKERS", "cannot start before worker-1 is complete"],
    ["complete before the one that it needs", "worker 2 complete", "HW_MODE_WORKERS", "cannot start before worker-1"],
    ["with a number that is none of them", "worker 7 running", "HW_MODE_WORKERS", "There is no worker 7"],
    ["without a number", "worker running", "HW_USAGE", "`worker` takes a number and"],
    ["with an odd state", "worker 1 done", "HW_USAGE", "`worker` takes a number and"],
    ["with a reason for success", "worker 1 complete well done", "HW_USAGE", "`worker` takes a number and"],
  ])("is refused %s", async (_name, words, code, message) => {
    await expect(space.run(words, AGENT)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
    expect(statuses()).toEqual(["pending", "pending"]);
  });
});

describe("integrate", () => {
  const work = async (...numbers: number[]): Promise<void> => {
    for (const n of numbers)
      for (const state of ["running", "complete"]) await space.run(`worker ${n} ${state}`, AGENT);
  };
  beforeEach(async () => {
    await space.run("split", given(SPLIT));
  });

  it("succeeds when all workers are complete and no file was changed by two", async () => {
    await work(1, 2);
    changed([["src/api/a.ts"], ["src/web/b.ts", "src/web/c.ts"]]);
    expect(await space.run("integrate", AGENT)).toEqual({
      code: 0,
      out: "All workers are complete; 3 files were changed, and none by two workers.",
    });
    expect(space.runs()[0]?.details.integrated).toBe(true);
  });

  it("names what is missing, with exit code 1", async () => {
    await work(1);
    expect(await space.run("integrate", AGENT)).toEqual({ code: 1, out: "Not complete: worker-2." });
    expect(space.runs()[0]?.details.integrated).toBe(false);
  });

  it("names files that two workers have changed", async () => {
    await work(1, 2);
    changed([["src/a.ts"], ["src/a.ts"]]);
    const { code, out } = await space.run("integrate", AGENT);
    expect([code, out.split("\n")[0]]).toEqual([1, "src/a.ts was changed by worker-1 and worker-2."]);
    expect(await space.ask("integrate", AGENT)).toMatchObject({
      success: false,
      conflicts: [{ file: "src/a.ts", workers: ["worker-1", "worker-2"] }],
    });
  });

  it("finds that a worker that was silent for 5 minutes has failed", async () => {
    await space.run("worker 1 running", AGENT);
    space.now += WORKER_TIMEOUT_MS - 1;
    expect((await space.ask("integrate", AGENT)).unfinished).toEqual(["worker-1", "worker-2"]);
    space.now += 1;
    expect((await space.run("integrate", AGENT)).out).toContain("worker-1 failed: silent for 5 minutes.");
    expect(statuses()).toEqual(["failed", "pending"]);
  });

  it("has to be done again after a worker has changed something", async () => {
    await work(1, 2);
    await space.run("integrate", AGENT);
    await space.run("worker 1 running", AGENT);
    expect(space.runs()[0]?.details.integrated).toBe(false);
  });
});

it.each(["split", "worker 1 running", "integrate"])("%s needs ultrapilot, divided", async (words) => {
  if (words !== "split") {
    await expect(space.run(words, AGENT)).rejects.toMatchObject({
      message: "The work is not divided yet.",
      fix: "Nothing was changed. `hookwright mode split` divides it.",
    });
  }
  await space.run("cancel", AGENT);
  await expect(space.run(words, given(SPLIT))).rejects.toMatchObject({
    code: "HW_MODE_NONE",
    message: "ultrapilot is not on.",
  });
});
