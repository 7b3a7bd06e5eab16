import fc from "fast-check";
import { expect, it } from "vitest";
import { CannotKeep } from "./collect.ts";
import { build, repository } from "./random-repository.samples.ts";
import { Yard } from "./undo.samples.ts";

it("brings back every byte, the index, refs and stashes after any destructive command, or says that it cannot", async () => {
  const count = { runs: 0, changed: 0, asked: 0 };
  await fc.assert(
    fc.asyncProperty(repository, async (made) => {
      const yard = new Yard();
      try {
        build(yard, made);
        const before = yard.state();
        const snapshot = await yard.keep(made.command).catch((error: unknown) => {
          if (!(error instanceof CannotKeep)) throw error;
          count.asked++;
        });
        expect(yard.state()).toEqual(before);
        if (!snapshot) return;
        yard.bash(made.command);
        count.runs++;
        if (JSON.stringify(yard.state()) !== JSON.stringify(before)) count.changed++;
        await yard.restore(snapshot);
        expect(yard.state()).toEqual(before);
        expect((await yard.plan(snapshot)).map(({ what }) => what)).toEqual([]);
      } finally {
        yard.dispose();
      }
    }),
    { numRuns: Number(process.env.HOOKWRIGHT_UNDO_RUNS ?? 40) },
  );
  console.log(`${count.changed} of ${count.runs} commands changed something, ${count.asked} would be asked about`);
  expect(count.changed).toBeGreaterThan(count.runs / 2);
  expect(count.asked).toBeLessThan(count.runs / 2);
}, 600_000);
