import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: resolve(import.meta.dirname, "../.."),
  test: {
    include: ["test/browser/**/*.test.ts"],
    // Each file has a browser, a daemon's database and a dashboard of its own.
    maxWorkers: 2,
    retry: process.env.CI ? 1 : 0,
    expect: { poll: { timeout: 20_000 } },
    testTimeout: process.env.HOOKWRIGHT_LONG === "1" ? 1_200_000 : 120_000,
    hookTimeout: 120_000,
  },
});
