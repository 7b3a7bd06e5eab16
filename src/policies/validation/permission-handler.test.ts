import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { corpus } from "../../domain/approvals/commands.samples.ts";
import { GROUP_NAMES } from "../../domain/approvals/groups.ts";
import { claudeEvent, shell } from "../../testing/events.ts";
import { createSandbox } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import destructiveCommand from "../safety/destructive-command.ts";
import policy from "./permission-handler.ts";

const listed = { says: "approve", message: "listed" } as const;
const all = { options: { approve: [...GROUP_NAMES] }, files: { "/home/dev/app/out": { link: "/etc" } } };
const only = (...approve: string[]) => ({ options: { approve } });

function request(command: string, input: JsonObject = {}, more: JsonObject = {}): AnyEvent {
  const tool_input = { command, ...input };
  return claudeEvent({ hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input, ...more });
}

testPolicy(policy, {
  hit: [
    { name: "a listed command", event: request("git status"), ...only("git-read"), ...listed, text: "`git status`" },
    { name: "with a description", event: request("ls", { description: "x", timeout: 5 }), ...only("list"), ...listed },
    { name: "in the foreground", event: request("ls", { run_in_background: false }), ...only("list"), ...listed },
    { name: "of a subagent", event: request("ls", {}, { agent_id: "a1" }), ...only("list"), ...listed },
    { name: "in a folder of the project", event: request("ls"), ...only("git-read", "list"), ...listed },
    {
      name: "beside a guard that has nothing against it",
      event: request("ls"),
      ...all,
      ...listed,
      beside: [destructiveCommand],
    },
  ],
  pass: [
    { name: "nothing is listed", event: request("git status") },
    { name: "another group is listed", event: request("git status"), ...only("tests", "list") },
    { name: "outside of the sandbox", event: request("ls", { dangerouslyDisableSandbox: true }), ...all },
    { name: "in the background", event: request("npm test", { run_in_background: true }), ...all },
    { name: "an input that nobody knows", event: request("ls", { anything: "x" }), ...all },
    { name: "no command", event: request("", {}), ...all },
    { name: "PowerShell", event: request("ls", {}, { tool_name: "PowerShell" }), ...all },
    {
      name: "a tool whose name only ends in Bash, at which no guard looks",
      event: request("ls", {}, { tool_name: "proxy_Bash" }),
      ...all,
    },
    { name: "another tool with a command", event: request("ls", {}, { tool_name: "Task" }), ...all },
    { name: "a call that was not asked about", event: shell("git status"), ...all },
    {
      name: "a path where the project is the home folder",
      event: request("ls .ssh", {}, { cwd: "/home/dev" }),
      ...all,
    },
    { name: "a path where the project is the root", event: request("ls etc", {}, { cwd: "/" }), ...all },
  ],
});

describe("the corpus", () => {
  const sandbox = createSandbox([policy], all);
  afterAll(() => sandbox.close());
  const approvedBy = async (command: string): Promise<string | undefined> => {
    const { ruling, results } = await sandbox.send(request(command));
    expect(results[0]?.error).toBeUndefined();
    return ruling.outcome === "approve" ? String(results[0]?.verdicts[0]?.data.group) : undefined;
  };
  const approved = corpus.filter(({ group }) => group !== undefined);

  it("has at least 200 commands, none of them twice, and some of every group", () => {
    expect(corpus.length).toBeGreaterThan(200);
    expect(new Set(corpus.map(({ command }) => command)).size).toBe(corpus.length);
    expect(new Set(approved.map(({ group }) => group))).toEqual(new Set(GROUP_NAMES));
  });

  it.each(approved)("$group: $command", async ({ command, group }) => {
    expect(await approvedBy(command)).toBe(group);
  });

  it.each(corpus.filter(({ group }) => group === undefined))("left alone ($about): $command", async ({ command }) => {
    expect(await approvedBy(command)).toBeUndefined();
  });

  it("has nothing that a group approves which is not listed", async () => {
    for (const { command, group } of approved) {
      const others = createSandbox([policy], { ...all, ...only(...GROUP_NAMES.filter((name) => name !== group)) });
      expect((await others.send(request(command))).ruling.outcome, command).toBe("pass");
      others.close();
    }
  });

  const anApproved = fc.constantFrom(...approved.map(({ command }) => command.trim()));

  it("has nothing that is approved with another character of a shell in it, quoted or not", async () => {
    const characters = [..."; & | ` $ ( ) < > { } [ ] * ? ! # \\ \n \r \t \0".split(" "), "; x", " && x", "\nx"];
    const property = fc.asyncProperty(
      anApproved,
      fc.nat(),
      fc.constantFrom(...characters),
      async (command, at, added) => {
        const where = 1 + (at % (command.length - 1));
        expect(await approvedBy(command.slice(0, where) + added + command.slice(where))).toBeUndefined();
      },
    );
    await fc.assert(property, { numRuns: 400, seed: 7 });
  });

  it("has nothing that is approved with another option or a place elsewhere behind the program or at the end", async () => {
    const words = [
      "--output=x",
      "--outpu=x",
      "--exec=x",
      "--fix",
      "-D",
      "-",
      "--config",
      "@x",
      "+x",
      "/etc",
      "../x",
      "~",
    ];
    const property = fc.asyncProperty(
      anApproved,
      fc.boolean(),
      fc.constantFrom(...words),
      async (command, isLast, word) => {
        const line = isLast ? `${command} ${word}` : command.replace(" ", ` ${word} `);
        fc.pre(line !== command);
        expect(await approvedBy(line), line).toBeUndefined();
      },
    );
    await fc.assert(property, { numRuns: 400, seed: 7 });
  });
});

describe("beside guards", () => {
  const outcomes = async (...events: readonly AnyEvent[]) => {
    const files = {
      ...all.files,
      "/home/dev/app/package.json": '{"scripts":{"test":"rm -rf data"}}',
      "/home/dev/app/data": "",
      "/home/dev/app/data/a.csv": "1",
    };
    const sandbox = createSandbox([destructiveCommand, policy], { ...all, files });
    const said = [];
    for (const event of events) said.push((await sandbox.send(event)).ruling.outcome);
    sandbox.close();
    return said;
  };

  it("a listed command is not approved where it would start what a guard asks about", async () => {
    expect(await outcomes(request("npm test"), request("npm run lint"))).toEqual(["pass", "approve"]);
  });
});
