import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: resolve(import.meta.dirname, "../.."),
  test: {
    include: ["test/conformance/conformance.test.ts"],
    // Every scenario starts a real client and mostly waits for it; more than two would measure the machine instead.
    sequence: { concurrent: true },
    maxConcurrency: 2,
    retry: process.env.CI ? 1 : 0,
    testTimeout: 240_000,
    reporters: ["verbose"],
  },
});
