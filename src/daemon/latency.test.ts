import { execFileSync } from "node:child_process";
import { PerformanceObserver } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import { collectInPauses, OPTIMISING_SOON } from "./latency.ts";

describe("collecting in pauses", () => {
  it("collects after some events, once they pause", async () => {
    let seen = 0;
    const observer = new PerformanceObserver((list) => {
      seen += list.getEntries().length;
    });
    const collect = collectInPauses();
    observer.observe({ entryTypes: ["gc"] });
    for (let i = 0; i < 8; i++) collect();
    for (let tries = 0; seen === 0 && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 20));
    observer.disconnect();
    expect(seen).toBeGreaterThan(0);
    expect(Object.hasOwn(globalThis, "gc")).toBe(false);
  });
});

describe("optimising soon", () => {
  it("asks for what this version of V8 knows", () => {
    const known = execFileSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
    for (const flag of OPTIMISING_SOON) expect(known).toContain(flag.replace(/=.*/, " "));
  });
});
