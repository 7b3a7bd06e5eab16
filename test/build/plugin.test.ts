/** The plugin's folder by itself: what it registers, and that a copy of it needs nothing from here. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { writeMarketplace } from "../../scripts/release/marketplace.mjs";
import { CLAUDE_EVENTS, type ClaudeEvent } from "../../src/agents/claude-code/events.ts";
import { planText } from "../../src/domain/plan/plan.samples.ts";
import { registry } from "../../src/policies/index.gen.ts";
import { World } from "../support/world.ts";

const PLUGIN = path.resolve(import.meta.dirname, "../../plugin");

interface Handler {
  readonly type: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly prompt?: string;
  readonly timeout: number;
}
type Hooks = Record<string, { readonly matcher?: string; readonly hooks: readonly Handler[] }[]>;

const json = <T>(name: string): T => JSON.parse(fs.readFileSync(path.join(PLUGIN, name), "utf8")) as T;
const { hooks } = json<{ hooks: Hooks }>("hooks/hooks.json");

describe("hooks.json", () => {
  it("has one entry for each event that the plan's policies and the engine need", () => {
    const engine = ["prompt.submit", "turn.failed", "session.start", "compact.after"];
    const needed = new Set([
      ...engine,
      ...registry.filter(({ pack }) => pack === "plan").flatMap((entry) => entry.events as readonly string[]),
    ]);
    const names = Object.keys(hooks).map((event) => CLAUDE_EVENTS[event as ClaudeEvent]);
    expect([...names].sort()).toEqual([...needed].sort());
    for (const groups of Object.values(hooks)) {
      expect(groups).toHaveLength(1);
      expect(groups[0]?.hooks).toHaveLength(1);
    }
  });

  it("gives task verification 10 seconds and everything else 5", () => {
    const timeouts = Object.entries(hooks).map(([event, groups]) => [event, groups[0]?.hooks[0]?.timeout]);
    expect(Object.fromEntries(timeouts)).toEqual(
      Object.fromEntries(Object.keys(hooks).map((event) => [event, event === "TaskCompleted" ? 10 : 5])),
    );
  });

  it("starts what lies in the plugin, without a shell, with the plan's profile and nothing else", () => {
    for (const groups of Object.values(hooks)) {
      const { type, command, args = [] } = groups[0]?.hooks[0] ?? expect.fail("no handler");
      expect({ type, command }).toEqual({ type: "command", command: "node" });
      expect(args[0]).toBe(`\${CLAUDE_PLUGIN_ROOT}/runtime/hook.cjs`);
      expect(args.join(" ")).toContain("--via plugin --profile plan --reply json");
      // Named, an event that cannot be read would be blocked; the plan's hooks never do that.
      expect(args).not.toContain("--event");
    }
  });

  it("sees every tool that scopes and reports are about", () => {
    const tools = hooks.PreToolUse?.[0]?.matcher?.split("|") ?? [];
    expect(tools.sort()).toEqual(["Bash", "Edit", "MultiEdit", "NotebookEdit", "TaskUpdate", "Write"]);
  });
});

describe("the agent that verifies", () => {
  const [group] = json<{ hooks: Hooks }>("verify/hooks/hooks.json").hooks.TaskCompleted ?? [];

  it("is a real hook of its kind, with two minutes", () => {
    expect(group?.hooks).toEqual([{ type: "agent", timeout: 120, prompt: expect.stringContaining("$ARGUMENTS") }]);
  });

  it("is told to keep out of projects that did not ask for it", () => {
    expect(group?.hooks[0]?.prompt).toContain('hooks.task_verification is anything but "agent"');
  });
});

describe("manifests", () => {
  const MARKETPLACE = ".claude-plugin/marketplace.json";
  const market = json<{ plugins: { name: string; source: string }[] }>(path.join("..", MARKETPLACE));
  const { plugins } = market;

  it("have the version of the package, and the marketplace names folders that are plugins", () => {
    const { version } = JSON.parse(fs.readFileSync(path.join(PLUGIN, "../package.json"), "utf8")) as {
      version: string;
    };
    expect(plugins.map(({ name }) => name)).toEqual(["hookwright", "hookwright-verify", "omc"]);
    for (const { name, source } of plugins) {
      expect(json(path.join("..", source, ".claude-plugin/plugin.json"))).toMatchObject({ name, version });
    }
  });

  it("are published side by side, each with its own runtime and without the others", () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "hw-market-"));
    onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
    writeMarketplace(path.dirname(PLUGIN), folder);
    expect(fs.readdirSync(folder).sort()).toEqual([".claude-plugin", "LICENSE", ...plugins.map(({ name }) => name)]);
    for (const { name, source } of plugins) {
      const original = path.join(PLUGIN, "..", source);
      const programs = (at: string): string[] =>
        fs.existsSync(path.join(at, "runtime")) ? fs.readdirSync(path.join(at, "runtime")) : [];
      expect(programs(path.join(folder, name))).toEqual(programs(original).filter((one) => one !== "node_modules"));
    }
    expect(fs.readdirSync(path.join(folder, "hookwright"))).not.toContain("omc");
    const published = JSON.parse(fs.readFileSync(path.join(folder, MARKETPLACE), "utf8")) as typeof market;
    expect(published.plugins.map(({ source }) => source)).toEqual(plugins.map(({ name }) => `./${name}`));
  });
});

describe("what the texts say", () => {
  const command = fs.readFileSync(path.join(PLUGIN, "commands/implement.md"), "utf8");
  const skill = fs.readFileSync(path.join(PLUGIN, "skills/implementer/SKILL.md"), "utf8");
  const readme = fs.readFileSync(path.join(PLUGIN, "README.md"), "utf8");

  it("the state is written before the team is created, removed after it is deleted, and removed when creating fails", () => {
    expect(command.indexOf("plan start PLAN")).toBeGreaterThan(0);
    expect(command).toMatch(/`hookwright plan start [^`]*` \*before\* the team is created/);
    expect(command).toMatch(/If creating it fails, run `hookwright plan abort`/);
    expect(command).toMatch(/delete the team, \*then\* run `hookwright plan finish`/);
  });

  it("the report comes first, in one call with the status, and then the message", () => {
    expect(skill.indexOf("TaskUpdate(")).toBeLessThan(skill.indexOf("a message to the lead"));
    const call = /TaskUpdate\(([\s\S]*?)\}\)/.exec(skill)?.[1] ?? "";
    for (const part of ['status: "completed"', '"commit"', '"files_changed"', '"tests_passed"', '"design_doc"']) {
      expect(call).toContain(part);
    }
    expect(skill).toContain("independent of it");
  });

  it("the README has the schema, what each hook costs, and where the example is", () => {
    for (const key of ["task_verification:", "stop_guard:", "session_context:", "precompact_state:"]) {
      expect(readme).toContain(key);
    }
    expect(readme.indexOf("## Project config")).toBeLessThan(readme.indexOf("## Plugin Hooks"));
    const sections = readme.split(/^### /m).slice(1);
    for (const name of ["Task verification", "Stop guard", "Session context", "Compaction snapshot"]) {
      const section = sections.find((one) => one.startsWith(name)) ?? "";
      for (const part of ["**What.**", "**Cost.**", "**When.**"]) expect(section, name).toContain(part);
    }
    expect(readme).toMatch(/30–120 s/);
    expect(readme).toMatch(/about 5 s/);
    expect(readme).toMatch(/must\s+be true or false/);
    expect(readme).toContain("(examples/hooks/scope-protection/README.md)");
  });

  it("the example's scope file is one that the policy reads", () => {
    const folder = path.join(PLUGIN, "examples/hooks/scope-protection");
    const scopes = JSON.parse(fs.readFileSync(path.join(folder, "implement-login.json"), "utf8")) as object;
    expect(Object.keys(scopes)).toEqual(["team", "shared", "api-dev", "web-dev"]);
    expect(fs.readFileSync(path.join(folder, "README.md"), "utf8")).toContain("## Setup");
    expect(JSON.parse(fs.readFileSync(path.join(folder, "hooks.json"), "utf8"))).toHaveProperty("hooks.PreToolUse");
    expect(fs.statSync(path.join(folder, "scope-protection.sh")).mode & 0o111).not.toBe(0);
  });
});

describe("a copy of the folder", () => {
  let world: World;
  let copy: string;
  beforeEach(() => {
    world = new World();
    copy = path.join(world.root, "plugin");
    fs.cpSync(PLUGIN, copy, { recursive: true });
    const files: Record<string, string> = {
      "docs/plan.md": planText(["complete", "pending"]),
      ".claude/project.yml": "hooks: { stop_guard: true }\n",
    };
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(world.project, name)), { recursive: true });
      fs.writeFileSync(path.join(world.project, name), text);
    }
  });
  afterEach(() => world.dispose());

  it("decides and commands, on every Node there is here", async () => {
    // Others than the one that runs the tests are named by OTHER_NODES.
    const nodes = [process.execPath, ...(process.env.OTHER_NODES ?? "").split(path.delimiter).filter(Boolean)];
    for (const node of nodes) {
      const env = { PATH: `${path.dirname(node)}:/usr/bin:/bin` };
      const command = (...args: string[]) => world.start([path.join(copy, "bin/hookwright"), ...args], { env }).ended;
      expect(await command("plan", "start", "docs/plan.md")).toMatchObject({ exit: 0, stderr: "" });
      for (const daemon of [["--no-daemon"], []]) {
        const args = hooks.Stop?.[0]?.hooks[0]?.args?.map((arg) => arg.replace(`\${CLAUDE_PLUGIN_ROOT}`, copy)) ?? [];
        const event = {
          hook_event_name: "Stop",
          session_id: `${node}${daemon}`,
          cwd: world.project,
          stop_hook_active: false,
        };
        const answer = await world.start([node, ...args, ...daemon], { env, input: JSON.stringify(event) }).ended;
        expect(answer).toMatchObject({ exit: 0, stderr: "" });
        expect(JSON.parse(answer.stdout)).toMatchObject({
          decision: "block",
          reason: expect.stringContaining("1 task still incomplete"),
        });
      }
      expect(await command("plan", "abort")).toMatchObject({ exit: 0 });
      console.log(`${execFileSync(node, ["--version"]).toString().trim()}: held`);
    }
  }, 180_000);

  it("needs a folder of the machine it was built on", () => {
    const root = path.dirname(PLUGIN);
    for (const name of fs.readdirSync(path.join(copy, "runtime"))) {
      const file = path.join(copy, "runtime", name);
      if (fs.statSync(file).isFile()) expect(fs.readFileSync(file, "utf8").includes(root), name).toBe(false);
    }
  });
});
