import { describe, expect, it } from "vitest";
import type { Json } from "../../../core/event.ts";
import { COORDINATOR } from "../../claims/claim.ts";
import { type Subtask, subtaskOf } from "./split.ts";
import {
  claimsOf,
  failSilent,
  integrate,
  markSeen,
  markWorker,
  WORKER_TIMEOUT_MS,
  type Worker,
  workersFor,
} from "./workers.ts";

const NOW = 1_800_000_000_000;
const AT = NOW - 1_000;

const worker = (n: number, more: Partial<Worker> = {}): Worker => ({
  id: `worker-${n}`,
  index: n - 1,
  task: `Do ${n}`,
  ownedFiles: [`src/${n}`],
  blockedBy: [],
  status: "pending",
  filesModified: [],
  ...more,
});
const running = (n: number, more: Partial<Worker> = {}): Worker =>
  worker(n, { status: "running", startedAt: AT, seenAt: AT, ...more });
const complete = (n: number, filesModified: readonly string[] = []): Worker =>
  running(n, { status: "complete", completedAt: AT, filesModified });
const failed = (n: number, more: Partial<Worker> = {}): Worker =>
  running(n, { status: "failed", completedAt: AT, error: "broken", ...more });

it("workers are made for the subtasks of a split", () => {
  const web: Subtask = { ...subtaskOf("web", "Build the page"), files: ["src/web"], blockedBy: ["api"] };
  const workers: Json = workersFor([subtaskOf("api", "Build the API"), web]);
  expect(workers).toEqual([
    {
      id: "worker-1",
      index: 0,
      task: "Build the API",
      ownedFiles: [],
      blockedBy: [],
      status: "pending",
      filesModified: [],
    },
    {
      id: "worker-2",
      index: 1,
      task: "Build the page",
      ownedFiles: ["src/web"],
      blockedBy: ["worker-1"],
      status: "pending",
      filesModified: [],
    },
  ]);
});

describe("a report of a worker", () => {
  it.each<[string, Worker, "running" | "complete" | "failed", string | undefined, Worker]>([
    ["begins it", worker(1), "running", undefined, running(1, { startedAt: NOW, seenAt: NOW })],
    ["says that it still runs", running(1), "running", undefined, running(1, { seenAt: NOW })],
    [
      "ends it",
      running(1, { filesModified: ["a"] }),
      "complete",
      undefined,
      { ...complete(1, ["a"]), completedAt: NOW, seenAt: NOW },
    ],
    [
      "ends one that was not seen at work",
      worker(1),
      "complete",
      undefined,
      { ...complete(1), startedAt: NOW, completedAt: NOW, seenAt: NOW },
    ],
    ["ends it again", complete(1), "complete", undefined, { ...complete(1), seenAt: NOW }],
    ["gives it up", running(1), "failed", " no key ", failed(1, { completedAt: NOW, seenAt: NOW, error: "no key" })],
    [
      "gives it up without a reason",
      running(1),
      "failed",
      " ",
      failed(1, { completedAt: NOW, seenAt: NOW, error: "no reason given" }),
    ],
    [
      "gives it up before it began",
      worker(1),
      "failed",
      "no agent",
      worker(1, { status: "failed", completedAt: NOW, seenAt: NOW, error: "no agent" }),
    ],
    ["gives it up again, with the first reason", failed(1), "failed", "other", failed(1, { seenAt: NOW })],
    [
      "ends one that was given up",
      failed(1, { filesModified: ["a"] }),
      "complete",
      undefined,
      { ...complete(1, ["a"]), completedAt: NOW, seenAt: NOW },
    ],
    [
      "begins one that was given up again",
      failed(1, { filesModified: ["a"] }),
      "running",
      undefined,
      running(1, { startedAt: NOW, seenAt: NOW, filesModified: ["a"] }),
    ],
    [
      "begins a complete one again, without its changes",
      complete(1, ["a"]),
      "running",
      undefined,
      running(1, { startedAt: NOW, seenAt: NOW }),
    ],
    [
      "has a reason that is cut",
      running(1),
      "failed",
      "x".repeat(501),
      failed(1, { completedAt: NOW, seenAt: NOW, error: "x".repeat(500) }),
    ],
  ])("%s", (_name, before, status, error, after) => {
    expect(markWorker([before, worker(2)], 1, status, NOW, error)).toEqual([after, worker(2)]);
  });

  it.each<[string, readonly Worker[], number, "running" | "complete" | "failed", string]>([
    ["an unknown number", [worker(1)], 2, "running", "There is no worker 2: this run has 1 worker."],
    ["number 0", [worker(1), worker(2)], 0, "running", "There is no worker 0: this run has 2 workers."],
    ["a part of a number", [worker(1), worker(2)], 1.5, "running", "There is no worker 1.5"],
    ["no number", [worker(1)], Number.NaN, "running", "There is no worker NaN"],
    [
      "an end without a beginning, before others are complete",
      [running(1), worker(2, { blockedBy: ["worker-1"] })],
      2,
      "complete",
      "worker-2 cannot start before worker-1 is complete.",
    ],
    ["a failure after the end", [complete(1)], 1, "failed", "worker-1 is complete already."],
    [
      "a beginning before others are complete",
      [complete(1), running(2), failed(3), worker(4, { blockedBy: ["worker-1", "worker-2", "worker-3"] })],
      4,
      "running",
      "worker-4 cannot start before worker-2, worker-3 is complete.",
    ],
  ])("is refused: %s", (_name, workers, n, status, problem) => {
    expect(markWorker(workers, n, status, NOW)).toEqual({ problem: expect.stringContaining(problem) });
  });

  it("counts from a running worker even when another one has begun again", () => {
    const workers = [running(1), running(2, { blockedBy: ["worker-1"] })];
    expect(markWorker(workers, 2, "running", NOW)).toMatchObject([{}, { status: "running", seenAt: NOW }]);
  });

  it("begins a worker when all that block it are complete", () => {
    const workers = [complete(1), worker(2, { blockedBy: ["worker-1"] })];
    expect(markWorker(workers, 2, "running", NOW)).toMatchObject([{}, { status: "running" }]);
  });
});

describe("a call of a worker", () => {
  it.each<[string, Worker, readonly string[] | undefined, Worker]>([
    ["begins it", worker(1), undefined, running(1, { startedAt: NOW, seenAt: NOW })],
    ["is seen", running(1), [], running(1, { seenAt: NOW })],
    [
      "adds the files that it changed",
      running(1, { filesModified: ["a"] }),
      ["b", "a", "b"],
      running(1, { seenAt: NOW, filesModified: ["a", "b"] }),
    ],
    ["does not revive it", failed(1), ["b"], failed(1, { seenAt: NOW, filesModified: ["b"] })],
    ["counts after its end", complete(1), ["b"], { ...complete(1, ["b"]), seenAt: NOW }],
  ])("%s", (_name, before, files, after) => {
    expect(markSeen([worker(2), before], "worker-1", NOW, files)).toEqual([worker(2), after]);
  });

  it("of somebody else changes nothing", () => {
    expect(markSeen([worker(1)], "explore", NOW, ["a"])).toEqual([worker(1)]);
  });

  it("keeps a limited number of files", () => {
    const files = Array.from({ length: 1_001 }, (_, at) => `f${at}`);
    expect(markSeen([running(1)], "worker-1", NOW, files)[0]?.filesModified).toHaveLength(1_000);
  });
});

describe("a worker that is silent for five minutes", () => {
  const LIMIT = NOW - WORKER_TIMEOUT_MS;

  it("has failed, and keeps the time when it was seen", () => {
    const workers = [running(1, { seenAt: LIMIT }), running(2, { seenAt: LIMIT + 1 })];
    const after = failSilent(workers, NOW);
    expect(after).toEqual([
      running(1, { status: "failed", seenAt: LIMIT, completedAt: NOW, error: "silent for 5 minutes" }),
      workers[1],
    ]);
  });

  it("counts from its beginning as long as nothing was seen", () => {
    const { seenAt: _seenAt, ...unseen } = running(1, { startedAt: LIMIT });
    expect(failSilent([unseen], NOW)[0]?.status).toBe("failed");
    expect(failSilent([{ ...unseen, startedAt: LIMIT + 1 }], NOW)[0]?.status).toBe("running");
  });

  it("does not matter if it is not running", () => {
    const old = { startedAt: 0, seenAt: 0 };
    const workers = [worker(1, old), { ...complete(2), ...old }, failed(3, old)];
    expect(failSilent(workers, NOW)).toBe(workers);
  });
});

describe("integration", () => {
  it.each<[string, readonly Worker[], object]>([
    [
      "succeeds when all workers are complete",
      [complete(1, ["a", "b", "a"]), complete(2, ["c"])],
      { success: true, files: ["a", "b", "c"], errors: [], conflicts: [], unfinished: [] },
    ],
    [
      "fails with a failed worker",
      [complete(1, ["a"]), failed(2, { filesModified: ["x"] })],
      { success: false, files: ["a"], errors: ["worker-2 failed: broken."], conflicts: [], unfinished: [] },
    ],
    [
      "fails with a reason that is a sentence",
      [failed(1, { error: "No key. " })],
      { success: false, files: [], errors: ["worker-1 failed: No key."], conflicts: [], unfinished: [] },
    ],
    [
      "fails with a failed worker without a reason",
      [worker(1, { status: "failed" })],
      { success: false, files: [], errors: ["worker-1 failed: no reason given."], conflicts: [], unfinished: [] },
    ],
    [
      "fails with a file of two workers",
      [complete(1, ["a", "b"]), complete(2, ["c", "b"]), complete(3, ["b"])],
      {
        success: false,
        files: ["a", "b", "c"],
        errors: [],
        conflicts: [{ file: "b", workers: ["worker-1", "worker-2", "worker-3"] }],
        unfinished: [],
      },
    ],
    [
      "fails with unfinished workers, whose files do not count",
      [complete(1, ["a"]), running(2, { filesModified: ["a"] }), worker(3)],
      { success: false, files: ["a"], errors: [], conflicts: [], unfinished: ["worker-2", "worker-3"] },
    ],
    ["has nothing to do without workers", [], { success: true, files: [], errors: [], conflicts: [], unfinished: [] }],
  ])("%s", (_name, workers, expected) => {
    expect(integrate(workers)).toEqual(expected);
  });
});

describe("the claims of a run", () => {
  const ofWorkers = (workers: readonly Worker[]) => claimsOf(workers).filter(({ owner }) => owner !== COORDINATOR);

  it("are those of workers that are not at their end", () => {
    const claims: Json = ofWorkers([worker(1), running(2, { ownedFiles: ["a", "b"] }), complete(3), failed(4)]);
    const expiresAt = AT + WORKER_TIMEOUT_MS;
    expect(claims).toEqual([
      { owner: "worker-1", pattern: "src/1", source: "ultrapilot" },
      { owner: "worker-2", pattern: "a", source: "ultrapilot", expiresAt },
      { owner: "worker-2", pattern: "b", source: "ultrapilot", expiresAt },
    ]);
  });

  it("give shared files to the coordinator, each once", () => {
    const shared = claimsOf([complete(1)], ["src/types.ts", "**/package.json"]);
    expect(shared.filter(({ pattern }) => pattern === "**/package.json")).toHaveLength(1);
    expect(shared).toContainEqual({ owner: COORDINATOR, pattern: "src/types.ts", source: "ultrapilot" });
    expect(new Set(shared.map(({ owner }) => owner))).toEqual(new Set([COORDINATOR]));
  });
});
