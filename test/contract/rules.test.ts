// Rules as a person meets them: through the launcher, with and without a daemon, and in what the commands tell afterwards.
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DIST, World } from "../support/world.ts";

const LAUNCHER = path.resolve(import.meta.dirname, "../../bin/hookwright.mjs");
const CONFIG = `rules:
  - id: no-prod-deploy
    program: kubectl
    pattern: "deploy .*prod"
    do: deny
    text: "Deploys go through CI."
  - id: generated
    path: "gen/**"
    do: ask
    text: "{path} is generated."
`;

let world: World;
beforeEach(() => {
  world = new World();
  fs.mkdirSync(world.home, { mode: 0o700 });
  fs.writeFileSync(path.join(world.home, "config.yml"), CONFIG);
});
afterEach(() => world.dispose());

let calls = 0;
const payload = (command: string): string =>
  JSON.stringify({
    hook_event_name: "PreToolUse",
    session_id: "s1",
    cwd: world.project,
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: `toolu_${++calls}`,
  });
const hook = (command: string) =>
  world.start([process.execPath, LAUNCHER, "hook", "--no-daemon"], { input: payload(command) }).ended;
const decision = (stdout: string): unknown => JSON.parse(stdout || "{}").hookSpecificOutput?.permissionDecision;

describe("a rule", () => {
  it("stops a call through the launcher, is journalled, explained and listed", async () => {
    const denied = await hook('sudo kube"ctl" deploy \\\n  to-prod');
    expect([denied.exit, decision(denied.stdout)]).toEqual([2, "deny"]);
    expect(denied.stderr).toContain("Deploys go through CI. [rules/no-prod-deploy]");

    const asked = await hook("echo x > gen/a.ts");
    expect([asked.exit, decision(asked.stdout)]).toEqual([0, "ask"]);
    expect(asked.stdout).toContain("gen/a.ts is generated.");

    const passed = await hook("echo kubectl deploy to-prod");
    expect([passed.exit, passed.stdout, passed.stderr]).toEqual([0, "", ""]);

    const journal = await world.hookwright("journal", "--json", "--denied");
    expect(journal.stdout).toContain("rules/no-prod-deploy");
    const explained = await world.hookwright("explain", "--last", "--json");
    expect(explained.stdout).toContain('"id":"rules/no-prod-deploy"');
    const listed = await world.hookwright("policies");
    expect(listed.stdout).toContain("rules/no-prod-deploy");
    const details = await world.hookwright("policies", "rules/generated");
    expect([details.exit, details.stdout]).toEqual([0, expect.stringContaining("path: gen/**")]);
  });

  it("says the same through a daemon", async () => {
    await world.startDaemon();
    // Twice: the second time the configuration and its patterns are known already.
    for (let n = 0; n < 2; n++) {
      const answer = await world.send(payload("kubectl deploy to-prod"), { client: "node", daemon: true });
      expect(decision(answer.stdout)).toBe("deny");
    }
  });

  it("does not let an evil pattern hold up the hook", async () => {
    const rule = (pattern: string): string => `rules:\n  - { id: evil, pattern: "${pattern}", do: deny, text: No. }\n`;
    const timeOf = async (pattern: string): Promise<number> => {
      fs.writeFileSync(path.join(world.home, "config.yml"), rule(pattern));
      const times: number[] = [];
      for (let n = 0; n < 3; n++) times.push((await hook(`echo ${"a".repeat(30_000)}!`)).ms);
      return Math.min(...times);
    };
    const plain = await timeOf("[ab]+x");
    expect(await timeOf("(a+)+$")).toBeLessThan(3 * plain);
  });
});

it("keeps the engines behind patterns out of the file that every hook loads", () => {
  for (const file of ["engine.cjs", "hook.cjs"]) {
    const text = fs.readFileSync(path.join(DIST, file), "utf8");
    for (const word of ["RE2JS", "picomatch", "ZodType"]) expect(text, `${file}: ${word}`).not.toContain(word);
  }
  expect(fs.readFileSync(path.join(DIST, "patterns.cjs"), "utf8")).toContain("RE2JS");
});
