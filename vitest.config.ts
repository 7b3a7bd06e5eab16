import fs from "node:fs";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const TESTS = ["src/**/*.test.ts", "test/**/*.test.ts", "client/**/*.test.ts"];
/** A file has a long form when it asks which one is wanted, see test/support/long.ts and routes.ts. */
const HAS_LONG_FORM = /\/support\/long\.ts"|\bshareOf\(/;
const isLong = process.env.HOOKWRIGHT_LONG === "1";

function filesWithLongForm(): string[] {
  return ["src", "test"]
    .flatMap((room) => fs.readdirSync(room, { recursive: true, encoding: "utf8" }).map((file) => path.join(room, file)))
    .filter((file) => file.endsWith(".test.ts") && HAS_LONG_FORM.test(fs.readFileSync(file, "utf8")));
}

/** The kinds whose files take longest. Where they come last, two workers wait for the third. */
const LONGEST = ["test/authors/", "test/chaos/", "test/bad-input/", "test/", "src/cli/"];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const file = path.relative(import.meta.dirname, moduleId);
      const found = LONGEST.findIndex((folder) => file.startsWith(folder));
      return found < 0 ? LONGEST.length : found;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

// Everything that runs with Node and git alone. The real client, tmux and the browser have configurations of their own.
export default defineConfig({
  test: {
    include: isLong ? filesWithLongForm() : TESTS,
    exclude: ["test/e2e/**", "test/browser/**", "test/conformance/**", "test/fleet/**", "node_modules/**"],
    // Many tests start real processes and can meet a machine that is busy with something else. vitest reports a retry.
    retry: process.env.CI ? 1 : 0,
    // A worker for each file and each module anew would be a third of all the time that is spent. What a test puts in the
    // place of something else is therefore always taken away again.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    restoreMocks: true,
    unstubEnvs: true,
    // By default a machine with two cores gets one worker, and most tests wait for processes.
    maxWorkers: 3,
    // Far more than any test needs, so that a busy machine is not taken for a failure.
    testTimeout: isLong ? 1_200_000 : 180_000,
    hookTimeout: 120_000,
  },
});
