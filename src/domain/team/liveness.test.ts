import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { isSameProcess, isSessionAlive, processStartTime } from "./liveness.ts";
import type { TeamRegistryEntry } from "./registry.ts";

const entry = (more: Partial<TeamRegistryEntry>): TeamRegistryEntry => ({
  team: "t",
  agent: "a",
  session: "s",
  pid: process.pid,
  registry: "Active",
  state: "idle",
  source: "unknown",
  at: Date.now(),
  ...more,
});

it("an active session lives as long as its process, and a dead one does not", async () => {
  const child = spawn("sleep", ["30"]);
  await once(child, "spawn");
  expect(isSessionAlive(entry({ pid: child.pid ?? 0 }))).toBe(true);
  expect(isSessionAlive(entry({ pid: child.pid ?? 0, registry: "Dead" }))).toBe(false);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(isSessionAlive(entry({ pid: child.pid ?? 0 }))).toBe(false);
});

it("a process that started after the session was seen is another one", async () => {
  const child = spawn("sleep", ["30"]);
  await once(child, "spawn");
  expect(isSameProcess(child.pid ?? 0, Date.now())).toBe(true);
  expect(isSameProcess(child.pid ?? 0, Date.now() - 60_000)).toBe(false);
  child.kill("SIGKILL");
});

it("a process that only waits to be collected is gone", async () => {
  // The shell is replaced by `sleep`, which never waits for its child, so the child stays a zombie.
  const parent = spawn("sh", ["-c", "sleep 0.2 & echo $!; exec sleep 30"]);
  const pid = Number(String((await once(parent.stdout, "data"))[0]));
  await expect.poll(() => isSameProcess(pid, Date.now())).toBe(false);
  expect(() => process.kill(pid, 0)).not.toThrow();
  parent.kill("SIGKILL");
});

it("where nobody named a process, the registry's word stands", () => {
  expect(isSessionAlive(entry({ pid: 0 }))).toBe(true);
});

it.each([
  ["what the system tells", "1 (a) b) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 250 0", "btime 100\n", 102_500],
  ["a process that waits to be collected", "1 (a) Z 1", "btime 100\n", Number.POSITIVE_INFINITY],
  ["a process that has just gone", "", "btime 100\n", undefined],
  ["a system that does not tell", "1 (a) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 250 0", "", undefined],
])("when a process began: %s", (_name, stat, systemStat, expected) => {
  expect(processStartTime(stat, systemStat)).toBe(expected);
});
