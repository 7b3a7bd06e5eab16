import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import {
  ask,
  claim,
  run,
  type SwarmOptions,
  scratch,
  stateFolder,
  statuses,
  useScratchProject,
} from "./swarm.samples.ts";

useScratchProject();

describe("the end of a swarm", () => {
  beforeEach(async () => {
    await run("init", { agents: "2" });
    for (const text of ["one", "two", "three"]) await run(`add ${text}`);
    await claim("ada");
    await claim("bob");
  });

  it("releases what is claimed, and tells agents that ask for more", async () => {
    expect(await run("end")).toBe(
      "The swarm is ended. Pending again: task-1 (ada), task-2 (bob). 3 tasks: 3 pending, 0 claimed, 0 done, 0 failed.",
    );
    expect(await ask("claim", { agent: "ada" })).toMatchObject({ task: null, ended: true });
    expect(await run("claim", { agent: "ada" })).toMatch(/^The swarm was ended\. No task can be claimed until `hook/);
    expect(await run("status")).toMatch(/^Ended at 20.*No task can be claimed until `hookwright swarm init`\.$/m);
    await expect(run("heartbeat", { agent: "ada" })).rejects.toThrow("ada no longer holds task-1, which was released");
    expect(await run("end")).toBe("The swarm is ended. 3 tasks: 3 pending, 0 claimed, 0 done, 0 failed.");
    expect(await run("init")).toContain("a new round begins");
    expect(await claim("ada")).toMatchObject({ id: "task-1", epoch: 2 });
  });

  it("is shown as JSON with the claims that it ended", async () => {
    expect(await ask("end")).toEqual({
      released: [
        { id: "task-1", agent: "ada", epoch: 1 },
        { id: "task-2", agent: "bob", epoch: 1 },
      ],
      endedAt: new Date(scratch.now).toISOString(),
      counts: { pending: 3, claimed: 0, done: 0, failed: 0, waiting: 0 },
    });
    expect(await ask("status")).toMatchObject({ endedAt: new Date(scratch.now).toISOString() });
    expect(await ask("init")).toMatchObject({ created: false, newRound: true, archive: null });
    expect(await ask("status")).toMatchObject({ endedAt: null });
  });

  it("is needed before the tasks can be archived", async () => {
    const archived = run("init", { fresh: true });
    await expect(archived).rejects.toMatchObject({
      code: "HW_SWARM_TASK",
      message: "2 tasks are still claimed: task-1 by ada, task-2 by bob. `hookwright swarm end` releases them.",
    });
    await run("end");
    const { archive, ...made } = await ask("init", { fresh: true });
    expect(made).toMatchObject({ created: false, newRound: true, expectedAgents: 2 });
    expect(path.dirname(archive)).toBe(stateFolder());
    expect(await statuses()).toEqual([]);
    await run("add new");
    expect(await run("init", { fresh: true })).toMatch(
      /^The task board .* exists already\.\nIts tasks were moved to \//,
    );
  });
});

describe("the files for other programs", () => {
  const read = (name: string) => JSON.parse(fs.readFileSync(path.join(stateFolder(), name), "utf8"));
  const hasMarker = () => fs.existsSync(path.join(stateFolder(), "swarm-active.marker"));
  const tasksIn = ({ task_count, tasks_pending, tasks_claimed, tasks_done }: Record<string, number>) => [
    task_count,
    tasks_pending,
    tasks_claimed,
    tasks_done,
  ];

  it("follow every command that changes the board", async () => {
    const steps: readonly [string, SwarmOptions, number[], boolean][] = [
      ["init", {}, [0, 0, 0, 0], false],
      ["add one", {}, [1, 1, 0, 0], true],
      ["add two", {}, [2, 2, 0, 0], true],
      ["claim", { agent: "ada" }, [2, 1, 1, 0], true],
      ["release 1", { agent: "ada" }, [2, 2, 0, 0], true],
      ["claim", { agent: "ada" }, [2, 1, 1, 0], true],
      ["heartbeat", { agent: "ada" }, [2, 1, 1, 0], true],
      ["complete 1", { agent: "ada", result: "well" }, [2, 1, 0, 1], true],
      ["claim", { agent: "bob" }, [2, 0, 1, 1], true],
      ["fail 2", { agent: "bob" }, [2, 0, 0, 1], false],
      ["retry 2", {}, [2, 1, 0, 1], true],
      ["end", {}, [2, 1, 0, 1], false],
      ["init", {}, [2, 1, 0, 1], true],
      ["init", { fresh: true }, [0, 0, 0, 0], false],
    ];
    for (const [words, options, tasks, isMarked] of steps) {
      scratch.now += 1_000;
      await run(words, options);
      expect([words, tasksIn(read("swarm-summary.json")), hasMarker()]).toEqual([words, tasks, isMarked]);
      expect(read("swarm-summary.json")).toMatchObject({
        updated_at: new Date(scratch.now).toISOString(),
        project_path: scratch.root,
      });
      expect(scratch.notices).toEqual([]);
    }
  });

  it("are repaired by `status` after a process was killed before it wrote them, and otherwise left alone", async () => {
    await run("init");
    await run("add one");
    const stale = fs.readFileSync(path.join(stateFolder(), "swarm-summary.json"));
    await claim("ada");
    await run("complete 1", { agent: "ada" });
    fs.writeFileSync(path.join(stateFolder(), "swarm-summary.json"), stale);
    fs.writeFileSync(path.join(stateFolder(), "swarm-active.marker"), "{}");
    scratch.now += 1_000;
    await run("status");
    expect(tasksIn(read("swarm-summary.json"))).toEqual([1, 0, 0, 1]);
    expect(hasMarker()).toBe(false);
    const { updated_at } = read("swarm-summary.json");
    scratch.now += 1_000;
    await run("status");
    expect(read("swarm-summary.json").updated_at).toBe(updated_at);
  });

  it("that cannot be written are named, and the change of the board stays", async () => {
    await run("init");
    fs.mkdirSync(path.join(stateFolder(), "swarm-active.marker"));
    expect(await run("add one")).toBe("Added task-1.");
    expect(scratch.notices).toEqual([
      expect.stringMatching(/^hookwright: Could not write .*\n {2}.* {2}\[HW_WRITE_FAILED\]$/),
    ]);
    expect(await statuses()).toEqual(["pending"]);
  });

  it("are not written for a refused command", async () => {
    await run("init");
    const before = read("swarm-summary.json");
    scratch.now += 1_000;
    await expect(run("complete 1", { agent: "ada" })).rejects.toMatchObject({ code: "HW_SWARM_TASK" });
    expect(read("swarm-summary.json")).toEqual(before);
  });
});
