import fc from "fast-check";
import { expect, it } from "vitest";
import { sized } from "../../../test/support/long.ts";
import { SnapshotImpossible } from "./collection.ts";
import { build, repository } from "./random-repository.samples.ts";
import { UndoWorkspace } from "./undo.samples.ts";

it("brings back every byte, the index, refs and stashes after any destructive command, or says that it cannot", async () => {
  const count = { runs: 0, changed: 0, asked: 0 };
  await fc.assert(
    fc.asyncProperty(repository, async (made) => {
      const workspace = new UndoWorkspace();
      try {
        build(workspace, made);
        const before = workspace.state();
        const snapshot = await workspace.keep(made.command).catch((error: unknown) => {
          if (!(error instanceof SnapshotImpossible)) throw error;
          count.asked++;
        });
        expect(workspace.state()).toEqual(before);
        if (!snapshot) return;
        workspace.bash(made.command);
        count.runs++;
        if (JSON.stringify(workspace.state()) !== JSON.stringify(before)) count.changed++;
        await workspace.restore(snapshot);
        expect(workspace.state()).toEqual(before);
        expect((await workspace.plan(snapshot)).map(({ what }) => what)).toEqual([]);
      } finally {
        workspace.dispose();
      }
    }),
    { numRuns: Number(process.env.HOOKWRIGHT_UNDO_RUNS ?? sized(6, 60)) },
  );
  console.log(`${count.changed} of ${count.runs} commands changed something, ${count.asked} would be asked about`);
  expect(count.changed).toBeGreaterThan(count.runs / 2);
  expect(count.asked).toBeLessThan(count.runs / 2);
}, 600_000);
