import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { contextOf, failing, filesBelow, makeWorld, type SetupWorld } from "../../installation/setup.samples.ts";
import { maintainCommand } from "./command.ts";
import { maintainThisProject } from "./project.ts";

const DAY = 86_400_000;
let world: SetupWorld;
beforeEach(() => {
  world = makeWorld();
  const state = path.join(world.project, ".omc/state");
  fs.mkdirSync(path.join(state, "checkpoints"), { recursive: true });
  fs.writeFileSync(path.join(state, "skill-sessions.json"), "{}");
  fs.writeFileSync(path.join(state, "checkpoints/checkpoint-1.json"), "{}");
});
afterEach(() => fs.rmSync(world.root, { recursive: true, force: true }));

function maintain(days: number, options: Record<string, boolean> = {}) {
  const context = contextOf(world, options);
  return { code: maintainThisProject(context, Date.now() + days * DAY), said: context.said() };
}

describe("maintain --project", () => {
  it("names what it removed", () => {
    expect(maintain(8)).toEqual({
      code: 0,
      said: "Removed 2 old files:\n  .omc/state/checkpoints/checkpoint-1.json\n  .omc/state/skill-sessions.json\n",
    });
    expect(maintain(8).said).toBe("Old files: none to remove.\n");
  });

  it("with --dry-run names them, and changes nothing", () => {
    const before = filesBelow(world.root);
    expect(maintain(2, { "dry-run": true }).said).toBe(
      "Would remove 1 old file:\n  .omc/state/checkpoints/checkpoint-1.json\n",
    );
    expect(filesBelow(world.root)).toEqual(before);
  });

  it("works from a folder of the project, and as JSON", () => {
    const context = { ...contextOf(world, { json: true }), cwd: path.join(world.project, ".omc/state") };
    maintainThisProject(context, Date.now() + 2 * DAY);
    expect(JSON.parse(context.said())).toEqual({
      dryRun: false,
      project: world.project,
      removed: [path.join(world.project, ".omc/state/checkpoints/checkpoint-1.json")],
      board: "none",
      problems: [],
    });
  });

  it("fails where something stands in the way, and says what", () => {
    fs.rmSync(path.join(world.project, ".omc"), { recursive: true });
    fs.symlinkSync("/etc", path.join(world.project, ".omc"));
    expect(maintain(8)).toMatchObject({ code: 1, said: expect.stringContaining(".omc is no plain folder") });
  });

  it("is not meant by --dry-run alone", async () => {
    const error = await failing("HW_USAGE", () => maintainCommand.run(contextOf(world, { "dry-run": true })));
    expect(error.message).toContain("--dry-run needs --project");
  });
});
