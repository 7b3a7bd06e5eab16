import { defineConfig } from "vitest/config";

// Everything that runs with Node and git alone. The real client, tmux and the browser have configurations of their own.
export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "client/**/*.test.ts"],
    exclude: ["test/e2e/**", "node_modules/**"],
    // Many tests start real processes and can meet a machine that is busy with something else. vitest reports a retry.
    retry: process.env.CI ? 1 : 0,
    // By default a machine with two cores gets one worker, and most tests wait for processes.
    minWorkers: 2,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
