import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { OPTIMISING_SOON } from "./optimise-soon.ts";

describe("optimising soon", () => {
  it("asks for what this version of V8 knows, and for nothing where it knows no such thing", () => {
    const known = execFileSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
    expect(OPTIMISING_SOON.length > 0).toBe(known.includes("--invocation-count-for-turbofan "));
    for (const flag of OPTIMISING_SOON) expect(known).toContain(flag.replace(/=.*/, " "));
  });
});
