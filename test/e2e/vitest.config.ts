import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: resolve(import.meta.dirname, "../.."),
  test: {
    include: ["test/e2e/**/*.test.ts"],
    globalSetup: ["test/e2e/isolation.ts"],
    // Every test starts a real client; more than two at a time would measure the machine instead of the product.
    maxWorkers: 2,
    retry: process.env.CI ? 1 : 0,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
