/** The plugin `omc` by itself: what it registers, what its skills and agents say, and that a copy of it needs nothing else. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { CLAUDE_EVENTS, type ClaudeEvent } from "../../src/agents/claude-code/events.ts";
import { packsOf } from "../../src/core/settings/profiles.ts";
import { MODES } from "../../src/domain/mode/modes.ts";
import { PRESET_NAMES, readPipeline } from "../../src/domain/mode/pipeline/stages.ts";
import { isReviewer, verdictIn } from "../../src/domain/mode/ralph/review.ts";
import { registry } from "../../src/policies/index.gen.ts";
import { World } from "../support/world.ts";

const PLUGINS = path.resolve(import.meta.dirname, "../../plugin");
const PLUGIN = path.join(PLUGINS, "omc");
const ROOT_VARIABLE = "$" + "{CLAUDE_PLUGIN_ROOT}";

interface Handler {
  readonly type: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly timeout: number;
}
type Hooks = Record<string, { readonly matcher?: string; readonly hooks: readonly Handler[] }[]>;

interface Markdown {
  readonly front: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const text = (name: string): string => fs.readFileSync(path.join(PLUGIN, name), "utf8");
const { hooks } = JSON.parse(text("hooks/hooks.json")) as { hooks: Hooks };
const handlerOf = (event: string): Handler => hooks[event]?.[0]?.hooks[0] ?? expect.fail(`no handler for ${event}`);

function markdown(name: string): Markdown {
  const [, front = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text(name)) ?? expect.fail(name);
  return { front: parse(front) as Markdown["front"], body };
}

const skillOf = (name: string): Markdown => markdown(`skills/${name}/SKILL.md`);
const agentOf = (name: string): Markdown => markdown(`agents/${name}.md`);
const skills = fs.readdirSync(path.join(PLUGIN, "skills"));
const agents = fs.readdirSync(path.join(PLUGIN, "agents")).map((file) => path.basename(file, ".md"));
const stages = PRESET_NAMES.map((preset) => ({ preset, stages: readPipeline("", preset).stages }));

describe("hooks.json", () => {
  it("has one entry for each event that the policies of the profile and the engine need", () => {
    const packs = packsOf(["omc"], true);
    const policies = registry.filter(({ pack }) => packs.has(pack));
    const engine = ["prompt.submit", "turn.stop", "turn.failed", "session.start", "compact.after"];
    const needed = new Set<string>([...engine, ...policies.flatMap(({ events }) => events)]);
    const names = Object.keys(hooks).map((event) => CLAUDE_EVENTS[event as ClaudeEvent]);
    expect([...names].sort()).toEqual([...needed].sort());
  });

  it("has no matcher, because a mode looks at every tool", () => {
    for (const groups of Object.values(hooks)) {
      expect(groups).toEqual([{ hooks: [expect.objectContaining({ type: "command" })] }]);
    }
  });

  it("starts what lies in the plugin, without a shell, with its own profile and nothing else", () => {
    for (const event of Object.keys(hooks)) {
      const { command, args } = handlerOf(event);
      expect([command, args[0]]).toEqual(["node", `${ROOT_VARIABLE}/runtime/hook.cjs`]);
      expect(args.join(" ")).toContain("--via plugin --profile omc --reply json");
      // Named, an event that cannot be read would be blocked; a mode never does that.
      expect(args).not.toContain("--event");
    }
  });

  it("answers within 5 seconds, and before a session that ends is gone", () => {
    for (const event of Object.keys(hooks)) expect(handlerOf(event).timeout).toBe(event === "SessionEnd" ? 1.5 : 5);
    const { args } = handlerOf("SessionEnd");
    expect(Number(args[args.indexOf("--deadline-ms") + 1])).toBeLessThan(1500);
  });
});

describe("skills", () => {
  it("there is one for each mode, for cancel and for the status, and no command", () => {
    expect([...skills].sort()).toEqual([...MODES, "cancel", "modes", "skill"].sort());
    // A command of the same name would make `/ralph` ambiguous for older clients.
    expect(fs.existsSync(path.join(PLUGIN, "commands"))).toBe(false);
  });

  it.each(skills)("%s is started by a person alone", (name) => {
    const { front } = skillOf(name);
    expect(front).toMatchObject({ name, "disable-model-invocation": true, description: expect.stringMatching(/\.$/) });
  });

  it.each([...MODES])("%s says that the hook has started it, what to do without a hook, and how it ends", (mode) => {
    const { body } = skillOf(mode);
    expect(body).toContain("$ARGUMENTS");
    expect(body).toContain(`begins with \`${mode} is on\``);
    expect(body).toContain("no hook of Hookwright runs here");
    expect(body).toContain("`NEEDS_INPUT: your question` on a line of its own");
    expect(body).toMatch(new RegExp(`\`/cancel\`\\s+or\\s+\`hookwright mode cancel ${mode}\``));
  });

  it.each([
    ["ralph", "prd.json acceptanceCriteria progress.txt RALPH_COMPLETE"],
    ["ralph", "<architect-approved>VERIFIED_COMPLETE</architect-approved> <architect-rejected>"],
    ["autopilot", "EXPANSION_COMPLETE PLANNING_COMPLETE EXECUTION_COMPLETE QA_COMPLETE VALIDATION_COMPLETE"],
    ["autopilot", ".omc/plans/autopilot-impl.md APPROVED REJECTED NEEDS_FIX"],
    ["ultrapilot", "subtasks description files blockedBy sharedFiles"],
    ["pipeline", "STAGE_COMPLETE STAGE_FAILED"],
    ["ultraqa", "tests build lint typecheck custom --command"],
    ["ultrawork", "ULTRAWORK_COMPLETE"],
    ["ecomode", "ECOMODE_COMPLETE"],
  ])("%s names what the hooks look for: %s", (mode, words) => {
    for (const word of words.split(" ")) expect(skillOf(mode).body).toContain(word);
  });

  it.each([
    ["ultrapilot", ["mode split", "mode worker N running", "mode integrate"]],
    [
      "swarm",
      ["init", "add", "claim", "heartbeat", "complete", "fail", "retry", "status"].map((one) => `swarm ${one}`),
    ],
    ["cancel", ["mode cancel"]],
    ["modes", ["mode status", "mode resume"]],
    ["skill", ["skills list"]],
  ])("%s names the commands", (mode, commands) => {
    for (const command of commands) expect(skillOf(mode).body).toContain(`hookwright ${command}`);
  });

  it.each(stages)("pipeline shows the stages of $preset", ({ preset, stages: all }) => {
    const shown = all.map(({ agents: some }) => some.join(" and ")).join(" → ");
    expect(skillOf("pipeline").body).toContain(`| ${preset} | ${shown} |`);
  });
});

describe("agents", () => {
  const reviewers = ["functional", "security", "quality"].map((type) => `${type}-reviewer`);
  const workers = [1, 2, 3, 4, 5].map((number) => `worker-${number}`);

  it("there is one for each stage of a preset, each worker and each reviewer, and no other", () => {
    const ofStages = stages.flatMap(({ stages: all }) => all.flatMap((stage) => stage.agents));
    expect([...agents].sort()).toEqual([...new Set(["architect", ...ofStages, ...reviewers, ...workers])].sort());
  });

  it("a skill names none that does not exist", () => {
    for (const name of skills) {
      for (const [, agent = ""] of skillOf(name).body.matchAll(/omc:([a-z][a-z0-9-]*)/g))
        expect(agents).toContain(agent);
    }
  });

  it.each(agents)("%s knows what its last message looks like", (name) => {
    const { front, body } = agentOf(name);
    expect(front).toMatchObject({ name, description: expect.stringMatching(/\.$/) });
    expect(body).toContain("Your last message");
    const length = body.trim().split("\n").length;
    expect(length >= 10 && length <= 40, `${length} lines`).toBe(true);
  });

  it.each(["architect", "critic", "explore", "planner", "researcher", "auditor", ...reviewers])(
    "%s cannot edit",
    (name) => {
      const tools = String(agentOf(name).front.tools).split(", ");
      expect(tools).toContain("Read");
      for (const tool of ["Edit", "Write", "MultiEdit", "NotebookEdit", "Agent", "Task"])
        expect(tools).not.toContain(tool);
    },
  );

  it("the architect ends with one of two verdicts, which ralph hears", () => {
    const verdicts = [...agentOf("architect").body.matchAll(/^`(<architect-.*>)`$/gm)].map(([, line = ""]) => line);
    expect(verdicts.map((line) => verdictIn(`All criteria were checked.\n\n${line}`)?.isApproved)).toEqual([
      true,
      false,
    ]);
    expect(isReviewer("omc:architect")).toBe(true);
  });

  it.each(reviewers)("%s ends with one of three verdicts of its own type", (name) => {
    const type = name.replace("-reviewer", "");
    const verdicts = [...agentOf(name).body.matchAll(/<validation-verdict type="(\w+)">(\w+)<\/validation-verdict>/g)];
    expect(verdicts.map(([, of, verdict]) => [of, verdict])).toEqual(
      ["APPROVED", "NEEDS_FIX", "REJECTED"].map((verdict) => [type, verdict]),
    );
  });

  it("the workers differ in their number alone", () => {
    const texts = [1, 2, 3, 4, 5].map((number) => {
      const worker = text(`agents/worker-${number}.md`);
      expect(worker).toContain(`hookwright mode worker ${number} running`);
      return worker.replaceAll(new RegExp(`(orker[ -])${number}\\b`, "g"), "$1N");
    });
    expect(new Set(texts).size).toBe(1);
  });
});

describe("the runtime", () => {
  it("is the same in both plugins that run hooks", () => {
    const names = fs.readdirSync(path.join(PLUGINS, "runtime"));
    expect(fs.readdirSync(path.join(PLUGIN, "runtime"))).toEqual(names);
    for (const name of names.filter((one) => one !== "node_modules")) {
      const [ours, other] = [PLUGIN, PLUGINS].map((folder) => fs.readFileSync(path.join(folder, "runtime", name)));
      expect(other && ours?.equals(other), name).toBe(true);
    }
  });
});

describe("a copy of the folder", () => {
  let world: World;
  let copy: string;
  beforeEach(() => {
    world = new World();
    copy = path.join(world.root, "omc");
    fs.cpSync(PLUGIN, copy, { recursive: true });
  });
  afterEach(() => world.dispose());

  it("starts a mode from the typed skill, holds its stop, and ends it", async () => {
    const env = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` };
    const common = { session_id: "s-1", cwd: world.project, prompt_id: "p-1" };
    const hook = async (event: string, fields: object): Promise<string> => {
      const args = handlerOf(event).args.map((arg) => arg.replace(ROOT_VARIABLE, copy));
      const input = JSON.stringify({ ...common, hook_event_name: event, ...fields });
      const answer = await world.start([process.execPath, ...args], { env, input }).ended;
      expect(answer).toMatchObject({ exit: 0, stderr: "" });
      return answer.stdout;
    };
    const stop = () => hook("Stop", { stop_hook_active: false, last_assistant_message: "Half of it is done." });
    const prompt = "/omc:ultrawork fix the login";
    expect(await hook("UserPromptSubmit", { prompt })).toContain("ultrawork is on for this request");
    expect(await stop()).toContain("Go on with what is open of: fix the login.");
    const cancelled = await world.start([path.join(copy, "bin/hookwright"), "mode", "cancel"], { env }).ended;
    expect(cancelled).toMatchObject({ exit: 0, stdout: expect.stringContaining("ultrawork") });
    expect(await stop()).not.toContain("Go on with");
  }, 60_000);
});
