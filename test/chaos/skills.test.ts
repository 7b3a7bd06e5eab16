/** Skills are whole files or none: while their writers are killed, and while several write at once. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LAUNCHER, World } from "../support/world.ts";

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.dispose());

const folder = (): string => path.join(world.project, ".omc/skills");
const files = (): string[] => fs.readdirSync(folder()).sort();
const add = (name: string, trigger: string, solution = `Do what ${name} says, and then the rest`): string[] => [
  ...[process.execPath, LAUNCHER, "skills", "add", name],
  ...["--problem", "It does not work", "--solution", solution, "--trigger", trigger],
];
const textOf = (name: string): string => fs.readFileSync(path.join(folder(), `${name}.md`), "utf8");
const isWhole = (text: string, name: string): boolean =>
  text.startsWith(`---\nid: ${name}\nname: ${name}\n`) && text.endsWith(`Do what ${name} says, and then the rest\n`);

it.each(["edit-half-written", "edit-before-rename"])(
  "a writer that is killed at %s leaves no skill, and the next one writes it",
  async (point) => {
    expect((await world.start(add("first", "trigger-one")).ended).exit).toBe(0);
    const before = textOf("first");
    world.allowCrashPoints();
    const killed = world.start(add("second", "trigger-two"), { env: { HOOKWRIGHT_CRASH_POINT: point } });
    await killed.sees("stderr", new RegExp(`crash point ${point} reached`));
    killed.kill();
    expect((await killed.ended).signal).toBe("SIGKILL");
    expect(files().filter((name) => name.endsWith(".md"))).toEqual(["first.md"]);
    const listed = await world.hookwright("skills", "list", "--json");
    expect(JSON.parse(listed.stdout)).toMatchObject({ skills: [{ id: "first" }], unusable: [] });
    const again = await world.start(add("second", "trigger-two")).ended;
    expect([again.exit, again.stderr]).toEqual([0, ""]);
    // The draft of the one that was killed is gone as well.
    expect(files()).toEqual(["first.md", "second.md"]);
    expect([textOf("first") === before, isWhole(textOf("second"), "second")]).toEqual([true, true]);
  },
);

it("of several that write at once, each writes its own skill, and one name is written once", async () => {
  const own = Array.from({ length: 6 }, (_, index) => world.start(add(`own-${index}`, `trigger-${index}x`)));
  const same = Array.from({ length: 4 }, () => world.start(add("same", "trigger-same")));
  const alike = Array.from({ length: 3 }, (_, index) => world.start(add(`alike-${index}`, "trigger-alike")));
  const answers = async (all: typeof own): Promise<(number | null)[]> =>
    (await Promise.all(all.map(({ ended }) => ended))).map(({ exit }) => exit).sort();
  expect(await answers(own)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(await answers(same)).toEqual([0, 1, 1, 1]);
  expect(await answers(alike)).toEqual([0, 1, 1]);
  const names = files().map((name) => path.basename(name, ".md"));
  expect(names).toHaveLength(8);
  expect(names.filter((name) => name.startsWith("alike"))).toHaveLength(1);
  for (const name of names) expect(isWhole(textOf(name), name), name).toBe(true);
  console.log(`${own.length + same.length + alike.length} processes: ${names.join(", ")}`);
});

it("two sessions that are told the same skill are both counted", async () => {
  fs.mkdirSync(folder(), { recursive: true });
  fs.writeFileSync(path.join(folder(), "a.md"), "---\ntriggers: [login]\n---\nSet the cookie.\n");
  const prompts = Array.from({ length: 6 }, (_, index) => ({
    hook_event_name: "UserPromptSubmit",
    session_id: `session-${index}`,
    cwd: world.project,
    prompt: "the login fails",
  }));
  const route = { client: "node", daemon: false } as const;
  const args = ["--profile", "omc", "--reply", "json"];
  const answers = await Promise.all(prompts.map((prompt) => world.send(prompt, route, { args })));
  for (const { stdout } of answers) expect(stdout).toContain("Set the cookie.");
  const { stdout } = await world.hookwright("skills", "list", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ skills: [{ id: "a", uses: 6 }] });
});
