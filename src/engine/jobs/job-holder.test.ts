import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { expect, it } from "vitest";
import { processInfo, processSpace } from "../../system/processes.ts";
import { isGone, thisProcess } from "./job-holder.ts";

const nameOf = (pid: number): string => {
  const info = processInfo(pid);
  if (typeof info !== "object") throw new Error(`process ${pid} is not there`);
  return [pid, info.start, processSpace()].join(" ");
};

it("who runs is there", () => {
  const { name } = thisProcess();
  expect(isGone(name)).toBe(false);
  expect(name).toMatch(new RegExp(`^${process.pid} \\d+ `));
});

it("who was killed is gone, even while its parent has not noticed", async () => {
  // The shell tells the number of its child and becomes a program that never asks how the child ended.
  const parent = spawn("/bin/sh", ["-c", "sleep 60 & echo $!; exec sleep 60"]);
  const [printed] = (await once(parent.stdout, "data")) as [Buffer];
  const child = Number(printed.toString());
  const name = nameOf(child);
  expect(isGone(name)).toBe(false);
  await expect.poll(() => fs.readFileSync(`/proc/${parent.pid}/comm`, "utf8"), { timeout: 10_000 }).toBe("sleep\n");
  process.kill(child, "SIGKILL");
  for (let looks = 0; looks < 200 && !isGone(name); looks++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isGone(name)).toBe(true);
  expect(() => process.kill(child, 0)).not.toThrow();
  parent.kill("SIGKILL");
});

it("a later process of the same number is somebody else", () => {
  expect(isGone([process.pid, "1", processSpace()].join(" "))).toBe(true);
});

it("who runs in another container cannot be judged from here", () => {
  expect(isGone("999999 1 pid:[1]")).toBe(false);
});
