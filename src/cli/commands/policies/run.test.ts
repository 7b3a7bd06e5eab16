import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { STAGES } from "../../../core/stages.ts";
import { registry } from "../../../policies/index.gen.ts";
import type { CommandContext } from "../../command.ts";
import { contextOf, failing, filesBelow, makeWorld, type SetupWorld } from "../../installation/setup.samples.ts";
import type { ListedPolicy, PolicyDetails } from "./list-policies.ts";
import { runPoliciesCommand } from "./run.ts";

let world: SetupWorld;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => fs.rmSync(world.root, { recursive: true, force: true }));

async function ask(args: string[] = [], options: CommandContext["options"] = {}): Promise<string> {
  const context = { ...contextOf(world, options), args };
  const before = filesBelow(world.root);
  expect(await runPoliciesCommand(context, "/no/worker/is/needed")).toBe(0);
  expect(filesBelow(world.root)).toEqual(before);
  return context.said();
}

const list = async (options: CommandContext["options"] = {}): Promise<ListedPolicy[]> =>
  JSON.parse(await ask([], { ...options, json: true })) as ListedPolicy[];
const details = async (id: string, options: CommandContext["options"] = {}): Promise<PolicyDetails> =>
  JSON.parse(await ask([id], { ...options, json: true })) as PolicyDetails;

function person(text: string): void {
  fs.mkdirSync(world.home, { recursive: true });
  fs.writeFileSync(path.join(world.home, "config.yml"), text);
}
const project = (text: string): void => fs.writeFileSync(path.join(world.project, "hookwright.yml"), text);
function fleet(text: string): void {
  fs.mkdirSync(path.join(world.home, "fleet"));
  fs.writeFileSync(path.join(world.home, "fleet/bundle.yml"), text);
}

const GUARD = "safety/protected-paths";
const on = (policies: readonly ListedPolicy[]): string[] => policies.filter((one) => one.on).map((one) => one.pack);

describe("rules", () => {
  const rule = (id: string, more = ""): string =>
    `  - { id: ${id}, program: kubectl, do: deny, text: "Not ${id}."${more} }\n`;

  test("stand in the list where they are asked", async () => {
    person(`rules:\n${rule("mine")}${rule("off-now", ", mode: off")}`);
    project(`rules:\n${rule("theirs", ", path: infra/**, mode: observe")}`);
    const rules = (await list({ profile: "ntm" })).filter(({ pack }) => pack === "rules");
    expect(rules.map(({ id, stage, mode, on: isOn, summary }) => [id, stage, mode, isOn, summary])).toEqual([
      ["rules/mine", "scope", "enforce", true, "Not mine."],
      ["rules/off-now", "scope", "off", false, "Not off-now."],
      ["rules/theirs", "scope", "observe", true, "Not theirs."],
    ]);
    expect(await ask()).toContain("rules/theirs");
  });

  test("tell what they look for and whose they are", async () => {
    person(`rules:\n${rule("mine")}`);
    project(`rules:\n${rule("theirs", ", path: infra/**, mode: observe")}`);
    expect(await details("rules/theirs")).toMatchObject({
      modeFrom: "project",
      why: "A rule of this project's configuration.",
      messages: { deny: "Not theirs." },
      examples: { hit: ["program: kubectl; path: infra/**"] },
    });
    expect(await ask(["rules/mine"])).toContain("A rule of your configuration.");
    expect((await failing("HW_UNKNOWN_POLICY", () => ask(["rules/min"]))).message).toContain("rules/mine");
  });
});

describe("the list", () => {
  test("has every policy, in the order in which they are asked, with a reason to be", async () => {
    const policies = await list();
    expect(policies.map(({ id }) => id).sort()).toEqual(registry.map(({ id }) => id).sort());
    const orders = policies.map(({ order }) => order);
    expect(orders).toEqual([...orders].sort((a, b) => a - b));
    for (const { id, pack, stage, order, events, mode, summary } of policies) {
      expect([id.split("/")[0], STAGES[stage as keyof typeof STAGES].order]).toEqual([pack, order]);
      expect(events.length, id).toBeGreaterThan(0);
      const standard = registry.find((entry) => entry.id === id)?.defaultMode ?? "enforce";
      expect([mode, summary.length > 20]).toEqual([standard, true]);
    }
  });

  test("what is on follows profiles and modes", async () => {
    expect(new Set(on(await list()))).toEqual(new Set(["core", "safety"]));
    expect(new Set(on(await list({ profile: "ntm" })))).toEqual(new Set(["core", "ntm"]));
    person(`profiles: []\npolicies:\n  ${GUARD}: off\n`);
    const policies = await list({ profile: "safety" });
    expect(policies.find(({ id }) => id === GUARD)).toMatchObject({ mode: "off", on: false });
    expect(new Set(on(await list()))).toEqual(new Set(["core"]));
  });

  test("for a person: profiles, whose word they are, and what is wrong with the configuration", async () => {
    expect(await ask()).toMatch(/^Profiles: safety \(default\)$/m);
    project("profiles: [ntm]\n");
    expect(await ask()).toMatch(/^Profiles: safety, ntm \(this project's configuration\)$/m);
    person("profiles: [plan]\n");
    project("{}");
    expect(await ask()).toMatch(/^Profiles: plan \(your configuration\)$/m);
    person(`policies:\n  ${GUARD}: of\n`);
    const text = await ask();
    expect(text).toContain("config.yml:2:");
    expect(text).toMatch(/^ 1 {2}security$/m);
    expect(text).toMatch(/^ {4}safety\/protected-paths +Denies/m);
  });

  test("for a person: what is on, in its order, and how many are off", async () => {
    const policies = await list();
    const off = policies.filter((one) => !one.on);
    const text = await ask();
    const places = policies.filter((one) => one.on).map(({ id }) => text.indexOf(`    ${id} `));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    for (const { id } of off) expect(text).not.toContain(id);
    const last = `${off.length} policies are off here; \`hookwright policies --all\` also shows them.`;
    expect(text.trimEnd().split("\n").at(-1)).toBe(last);
  });

  test("--all also shows what is off, and what would turn it on", async () => {
    person(`policies:\n  ${GUARD}: off\n`);
    const policies = await list();
    const text = await ask([], { all: true });
    for (const { id } of policies) expect(text).toContain(`    ${id} `);
    const section = (title: string): string => text.split("\n\n").find((part) => part.startsWith(title)) ?? "";
    expect(section("Off: the profile `ntm` turns them on")).toContain("    ntm/poll-limit ");
    expect(section("Off: the profile `session` turns them on")).toContain("    session/gate ");
    expect(section("Off: the configuration says `off`")).toContain(`    ${GUARD} `);
    expect(text).not.toContain("--all");
    expect(text.trimEnd()).toMatch(/\n\d+ policies are off here\.$/);
  });

  test("what a switch of oh-my-claudecode turns off says so", async () => {
    person("profiles: [safety, omc]\n");
    const ofModes = on(await list()).filter((pack) => pack === "modes");
    expect(ofModes.length).toBeGreaterThan(5);
    world.env.OMC_SKIP_HOOKS = "ralph, destructive-command";
    const without = await list();
    expect(on(without).filter((pack) => pack === "modes")).toHaveLength(ofModes.length - 1);
    expect(without.find(({ id }) => id === "modes/ralph")).toMatchObject({
      on: false,
      switchedOffBy: "OMC_SKIP_HOOKS",
    });
    expect(await ask()).toMatch(/^OMC_SKIP_HOOKS in this shell switches off, .*: modes\/ralph\.$/m);
    expect(await ask(["modes/ralph"])).toContain("but off: OMC_SKIP_HOOKS in this shell switches it off");
    world.env.DISABLE_OMC = "1";
    expect(on(await list())).not.toContain("modes");
    expect(on(await list())).toContain("safety");
    expect(await ask([], { all: true })).toContain("Off: DISABLE_OMC in this shell switches them off");
  });

  test("what is only observed says so", async () => {
    person(`policies:\n  ${GUARD}: observe\n`);
    expect(await ask()).toMatch(/^ {4}safety\/protected-paths +\(observe: recorded only\) Denies/m);
  });

  test("--all with an ID is wrong usage", async () => {
    await failing("HW_USAGE", () => ask([GUARD], { all: true }));
  });
});

describe("one policy", () => {
  test("everything about it, with nothing configured", async () => {
    const policy = await details(GUARD);
    expect(policy).toMatchObject({
      id: GUARD,
      on: true,
      mode: "enforce",
      modeFrom: "default",
      stage: "security",
      order: 1,
    });
    expect(policy).toMatchObject({ kinds: ["edit", "shell", "other"], onError: "deny", events: ["tool.before"] });
    expect(policy.options).toMatchObject([
      { name: "also", value: [], default: [], from: "default", project: "add to it" },
      { name: "tools", value: [], from: "default", project: "not set it" },
    ]);
    expect(Object.keys(policy.messages)).toContain("git");
    expect([policy.examples.hit.length > 0, policy.examples.pass.length > 0, policy.why.length > 20]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test("every value is traced to whoever set it", async () => {
    person(`policies:\n  ${GUARD}:\n    mode: observe\n    also: [a]\n`);
    expect(await details(GUARD)).toMatchObject({ mode: "observe", modeFrom: "person" });
    expect((await details(GUARD)).options).toMatchObject([
      { value: ["a"], default: [], from: "person" },
      { from: "default" },
    ]);
    project(`policies:\n  ${GUARD}:\n    mode: enforce\n    also: [b]\n`);
    expect(await details(GUARD)).toMatchObject({ mode: "enforce", modeFrom: "project" });
    expect((await details(GUARD)).options).toMatchObject([{ value: ["a", "b"], from: "project" }, { from: "default" }]);
    const text = await ask([GUARD]);
    expect(text).toContain('also: ["a","b"] (this project\'s configuration)');
    fleet(`policies:\n  ${GUARD}:\n    also: [c]\n`);
    expect(await details(GUARD)).toMatchObject({ mode: "enforce", modeFrom: "project" });
    expect((await details(GUARD)).options).toMatchObject([{ value: ["a", "b", "c"], from: "fleet" }, {}]);
    expect(await ask([GUARD])).toContain("(the fleet's policy bundle)");
  });

  test("why it is off is said", async () => {
    expect(await ask([GUARD], { profile: "ntm" })).toContain("but off: no profile in use (ntm) has it");
  });

  test("each one there is can be shown", async () => {
    for (const { id } of registry) {
      expect(await ask([id])).toContain(id);
      expect((await details(id)).id).toBe(id);
    }
  });
});

describe("wrong usage", () => {
  test.each([
    ["safety/protected-path", "Did you mean `safety/protected-paths`?"],
    ["ntm", "It is a pack: `ntm/active-session`, "],
    ["protected-paths", "Did you mean `safety/protected-paths`?"],
  ])("%s", async (id, hint) => {
    expect((await failing("HW_UNKNOWN_POLICY", () => ask([id]))).message).toContain(hint);
  });

  test("two names, a profile that is none", async () => {
    await failing("HW_USAGE", () => ask([GUARD, GUARD]));
    await failing("HW_UNKNOWN_PROFILE", () => ask([], { profile: "nmt" }));
  });
});
