import { describe, expect, it } from "vitest";
import { claudeCode } from "../../agents/claude-code/adapter.ts";
import { senderOf } from "../../agents/known-agents.ts";
import { DEFAULT_CONFIG } from "../../core/settings/config.ts";
import type { ProfileName } from "../../core/settings/profiles.ts";
import { claudeEvent, PROJECT, USER_HOME } from "../../testing/events.ts";
import { type FakeFile, fakePorts } from "../../testing/fake-ports.ts";
import { isCoveredBySettings } from "./covered-by-settings.ts";
import { parseHookArguments } from "./hook-arguments.ts";

const CLIENT = `${USER_HOME}/.local/share/hookwright/versions/1.0.0-abc/hook`;
const USER = `${USER_HOME}/.claude/settings.json`;
const event = claudeEvent({ hook_event_name: "Stop", stop_hook_active: false });

const entry = (command: string, args: string[], group = {}, agentEvent = "Stop") =>
  JSON.stringify({ hooks: { [agentEvent]: [{ ...group, hooks: [{ type: "command", command, args }] }] } });
const installed = (...more: string[]) => entry(CLIENT, ["--event", "Stop", "--via", "user", ...more]);

async function isCovered(
  files: Record<string, FakeFile>,
  profiles: readonly ProfileName[] = ["safety"],
  wanted = "plan",
): Promise<boolean> {
  const args = parseHookArguments(["--via", "plugin", "--profile", wanted]);
  if (typeof args === "string") throw new Error(args);
  const frame = { env: { HOME: USER_HOME, PATH: "/usr/bin:/opt/bin" } };
  const config = { load: async () => ({ ...DEFAULT_CONFIG, profiles }) };
  const prepared = { kind: "event", event, args, adapter: claudeCode } as const;
  return isCoveredBySettings(prepared, frame as never, fakePorts({ files }), config);
}

describe("an event that a plugin reports", () => {
  it.each<[string, Record<string, FakeFile>, (readonly ProfileName[])?]>([
    ["has the same profile", { [USER]: installed("--profile", "safety,plan"), [CLIENT]: "" }],
    ["has the profile by configuration", { [USER]: installed(), [CLIENT]: "" }, ["safety", "plan"]],
    [
      "is a colleague's, and the program is there",
      {
        [`${PROJECT}/.claude/settings.json`]: entry("hookwright", ["hook", "--via", "project", "--profile", "plan"]),
        "/opt/bin/hookwright": "",
      },
    ],
    ["is local", { [`${PROJECT}/.claude/settings.local.json`]: installed("--profile", "plan"), [CLIENT]: "" }],
    [
      "matches everything",
      { [USER]: entry(CLIENT, ["--via", "user", "--profile", "plan"], { matcher: "*" }), [CLIENT]: "" },
    ],
  ])("is left to an installation that %s", async (_name, files, profiles) => {
    expect(await isCovered(files, profiles)).toBe(true);
  });

  it.each<[string, Record<string, FakeFile>]>([
    ["there is none", {}],
    ["it has other profiles", { [USER]: installed("--profile", "safety,ntm"), [CLIENT]: "" }],
    ["it has other profiles by configuration", { [USER]: installed(), [CLIENT]: "" }],
    ["its client is gone", { [USER]: installed("--profile", "plan") }],
    [
      "nobody here has the program",
      { [`${PROJECT}/.claude/settings.json`]: entry("hookwright", ["hook", "--via", "project", "--profile", "plan"]) },
    ],
    [
      "it is for another event",
      { [USER]: entry(CLIENT, ["--via", "user", "--profile", "plan"], {}, "PreToolUse"), [CLIENT]: "" },
    ],
    [
      "it sees only some calls",
      { [USER]: entry(CLIENT, ["--via", "user", "--profile", "plan"], { matcher: "Edit" }), [CLIENT]: "" },
    ],
    ["it is somebody else's", { [USER]: entry("/usr/bin/node", ["hook.js"]), "/usr/bin/node": "" }],
    ["the settings are broken", { [USER]: `${installed("--profile", "plan")}}`, [CLIENT]: "" }],
    [
      "it is another program that is found by name",
      { [USER]: entry("node", ["--via", "user", "--profile", "plan"]), "/usr/bin/node": "" },
    ],
    ["the settings are a list", { [USER]: '["--via"]' }],
  ])("is decided when %s", async (_name, files) => {
    expect(await isCovered(files)).toBe(false);
  });
});

describe("a plugin with several profiles", () => {
  const files = { [USER]: installed("--profile", "safety,plan"), [CLIENT]: "" };
  it("is left out only when all of them are there", async () => {
    expect(await isCovered(files, [], "plan,safety")).toBe(true);
    expect(await isCovered(files, [], "plan,ntm")).toBe(false);
  });
});

describe("an event of Copilot CLI that was registered in the settings of Claude Code", () => {
  const OWN = `${USER_HOME}/.copilot/hooks/hookwright.json`;
  const registered = (agentEvent: string, bash: string) =>
    JSON.stringify({ version: 1, hooks: { [agentEvent]: [{ type: "command", bash, timeoutSec: 5 }] } });
  const line = `${CLIENT} --agent copilot-cli --event agentStop --via user`;

  async function isLeft(files: Record<string, FakeFile>, more: string[] = []): Promise<boolean> {
    const args = parseHookArguments(["--event", "Stop", "--via", "project", ...more]);
    if (typeof args === "string") throw new Error(args);
    const body = { hook_event_name: "Stop", session_id: "s", timestamp: "2026-11-18T04:46:11Z", cwd: PROJECT };
    const frame = {
      env: { HOME: USER_HOME, PATH: "/opt/bin", COPILOT_CLI: "1" },
      body: Buffer.from(JSON.stringify(body)),
    };
    const adapter = senderOf(args.agent, frame.env, frame.body);
    const decoded = adapter?.decode({ body: frame.body, namedEvent: args.event, cwd: PROJECT });
    if (adapter === undefined || decoded?.kind !== "event") throw new Error("it is no event");
    const prepared = { kind: "event", event: decoded.event, args, adapter } as const;
    const config = { load: async () => ({ ...DEFAULT_CONFIG, profiles: ["safety"] as const }) };
    return isCoveredBySettings(prepared, frame as never, fakePorts({ files }), config);
  }

  it.each<[string, Record<string, FakeFile>]>([
    ["a person", { [OWN]: registered("agentStop", line), [CLIENT]: "" }],
    [
      "a person, with a line that minds a missing program",
      {
        [OWN]: registered("agentStop", `command -v ${CLIENT} >/dev/null || exit 0; exec ${line}`),
        [CLIENT]: "",
      },
    ],
    [
      "the project",
      {
        [`${PROJECT}/.github/hooks/hookwright.json`]: registered("agentStop", "hookwright hook --via project"),
        "/opt/bin/hookwright": "",
      },
    ],
  ])("is left to the hooks of its own that %s has installed", async (_name, files) => {
    expect(await isLeft(files)).toBe(true);
  });

  it.each<[string, Record<string, FakeFile>]>([
    ["there are no hooks of its own", {}],
    ["those are for another event", { [OWN]: registered("preToolUse", line), [CLIENT]: "" }],
    ["their program is gone", { [OWN]: registered("agentStop", line) }],
    ["they are somebody else's", { [OWN]: registered("agentStop", "lint --fix"), [CLIENT]: "" }],
  ])("is decided when %s", async (_name, files) => {
    expect(await isLeft(files)).toBe(false);
  });

  it("is decided when its own hooks have other profiles", async () => {
    const files = { [OWN]: registered("agentStop", `${line} --profile safety`), [CLIENT]: "" };
    expect(await isLeft(files, ["--profile", "safety,plan"])).toBe(false);
    expect(await isLeft(files, ["--profile", "safety"])).toBe(true);
  });
});

describe("the arguments of a plugin", () => {
  it("make it a supplement, which is nobody's first registration", () => {
    expect(parseHookArguments(["--via", "plugin", "--profile", "plan"])).toMatchObject({ isSupplement: true, via: "" });
    expect(parseHookArguments(["--via", "user"])).toMatchObject({ isSupplement: false, via: "user" });
  });
});
