import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buildWorker, policyText } from "../../../engine/project-policies/project-policies.samples.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { contextOf, failing, filesBelow, makeWorld, type SetupWorld } from "../../installation/setup.samples.ts";
import type { DoctorContext } from "../doctor/context.ts";
import { projectPoliciesFindings } from "../doctor/project-policies-check.ts";
import { folderHash } from "../trust/policy-folder.ts";
import { addTrust } from "../trust/trust-records.ts";
import type { ListedPolicy, PolicyDetails } from "./list-policies.ts";
import { runPoliciesCommand } from "./run.ts";

let built: string;
let worker: string;
let world: SetupWorld;
let folder: string;
beforeAll(async () => {
  built = fs.mkdtempSync(path.join(os.tmpdir(), "hw-worker-"));
  worker = await buildWorker(built);
});
afterAll(() => fs.rmSync(built, { recursive: true, force: true }));
beforeEach(() => {
  world = makeWorld();
  folder = path.join(world.project, ".hookwright");
});
afterEach(() => fs.rmSync(world.root, { recursive: true, force: true }));

function write(name: string, text = policyText(name, "() => undefined")): void {
  fs.mkdirSync(path.join(folder, "policies"), { recursive: true });
  fs.writeFileSync(path.join(folder, "policies", `${name}.js`), text);
}

function trust(): void {
  fs.mkdirSync(world.home, { recursive: true });
  const file = fs.realpathSync(folder);
  addTrust(world.home, { file, sha256: folderHash(folder) ?? "", at: "2026-01-01T00:00:00.000Z" });
}

function configure(text: string): void {
  fs.mkdirSync(world.home, { recursive: true });
  fs.writeFileSync(path.join(world.home, "config.yml"), text);
}

async function ask(args: string[] = [], options: CommandContext["options"] = {}): Promise<string> {
  const context = { ...contextOf(world, options), args };
  const before = filesBelow(world.root);
  expect(await runPoliciesCommand(context, worker)).toBe(0);
  expect(filesBelow(world.root)).toEqual(before);
  return context.said();
}

async function listed(): Promise<Record<string, ListedPolicy>> {
  const all = JSON.parse(await ask([], { json: true })) as ListedPolicy[];
  return Object.fromEntries(all.filter(({ pack }) => pack === "local").map((one) => [one.id, one]));
}

const details = async (id: string): Promise<PolicyDetails> =>
  JSON.parse(await ask([id], { json: true })) as PolicyDetails;

function finding() {
  const { env, project } = world;
  return projectPoliciesFindings({ home: homeOf(env), env, cwd: project, dist: built } as DoctorContext);
}

describe("a project's own policies", () => {
  test("there are none: nothing is said of them", async () => {
    expect(await listed()).toEqual({});
    expect(await ask()).not.toContain("own policies");
    expect(await finding()).toEqual([]);
  });

  test("trusted: in the list at their place, with all they tell of themselves", async () => {
    write("guard");
    write("later", policyText("later", "() => undefined", { stage: "advice" }));
    trust();
    expect(await listed()).toMatchObject({
      "local/guard": { state: "trusted", on: true, mode: "enforce", stage: "scope", order: 5, events: ["tool.before"] },
      "local/later": { state: "trusted", on: true, stage: "advice", order: 11 },
    });
    expect(await ask()).toMatch(/^ 5 {2}scope\n {4}local\/guard +A test\.$/m);
    expect(await details("local/guard")).toMatchObject({ why: "To see what happens.", messages: { no: "No {what}." } });
    expect(await ask(["local/guard"])).toContain("To see what happens.");
    expect(await finding()).toMatchObject([{ level: "ok", detail: "local/guard, local/later: trusted" }]);
    configure("policies:\n  local/guard: off\n  local/later: observe\n");
    expect(await listed()).toMatchObject({
      "local/guard": { mode: "off", on: false },
      "local/later": { mode: "observe", on: true },
    });
    expect(await details("local/later")).toMatchObject({ modeFrom: "person" });
  });

  test("not trusted: named, with what to do, and not a line of them runs", async () => {
    const witness = path.join(world.root, "ran");
    write("guard", `import fs from "node:fs"; fs.writeFileSync(${JSON.stringify(witness)}, "");`);
    const problem = expect.stringContaining("you have not trusted them. Look at them, then run `hookwright trust`");
    expect(await listed()).toMatchObject({ "local/guard": { state: "not trusted", on: false, order: 0, problem } });
    const text = await ask();
    expect(text).toMatch(/local\/guard +not trusted/);
    expect(text.match(/you have not trusted them/g)).toHaveLength(1);
    expect(await ask(["local/guard"])).toContain("not trusted. The policies in");
    expect(await finding()).toMatchObject([
      { level: "note", detail: "local/guard: not trusted", fix: expect.stringContaining("hookwright trust") },
    ]);
    trust();
    write("more");
    expect((await listed())["local/more"]?.problem).toContain("has changed since you trusted it");
    expect(fs.existsSync(witness)).toBe(false);
  });

  test("broken: why, beside those that run", async () => {
    write("good");
    write("bad", "export default { id: 'local/other' };");
    write("throws", "throw new Error('at once');");
    write("Wrong Name");
    trust();
    expect(await listed()).toMatchObject({
      "local/good": { state: "trusted", on: true },
      "local/bad": { state: "broken", on: false, problem: expect.stringContaining("its `id` should be `local/bad`") },
      "local/throws": { state: "broken", problem: expect.stringContaining("at once") },
      "local/Wrong Name": { state: "broken", problem: expect.stringContaining("small letters") },
    });
    expect(await ask()).toMatch(/local\/bad +broken/);
    const [found] = await finding();
    expect(found).toMatchObject({ ok: false, level: "problem" });
    for (const why of ["local/bad", "at once", "Wrong Name"]) expect(found?.detail).toContain(why);
  });

  test("a folder that is none: said, though no policy can be named", async () => {
    fs.symlinkSync(world.root, folder);
    expect(await ask()).toContain("do not run: it is not a folder");
    expect(await finding()).toMatchObject([{ ok: false, detail: expect.stringContaining("not a folder") }]);
  });

  test("a name that is none of them gets a hint", async () => {
    write("guard");
    expect((await failing("HW_UNKNOWN_POLICY", () => ask(["local/gard"]))).message).toContain("local/guard");
  });
});
