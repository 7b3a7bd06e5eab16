import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

const isLong = process.env.HOOKWRIGHT_LONG === "1";

export default defineConfig({
  root: resolve(import.meta.dirname, "../.."),
  test: {
    include: ["test/fleet/**/*.test.ts"],
    // Each file has a server of its own. Most of the time is spent waiting for another process.
    maxWorkers: isLong ? 1 : 4,
    retry: process.env.CI ? 1 : 0,
    testTimeout: isLong ? 1_800_000 : 120_000,
    hookTimeout: 120_000,
  },
});
