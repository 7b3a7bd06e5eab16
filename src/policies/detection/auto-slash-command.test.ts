import { describe, expect, it } from "vitest";
import { skillFile } from "../../domain/skills/skills.samples.ts";
import { PROJECT, prompt, USER_HOME } from "../../testing/events.ts";
import type { FakeFile } from "../../testing/fake-ports.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./auto-slash-command.ts";

const skill = (name: string, body: string): string => skillFile([`name: ${name}`, "triggers: [zzz]"], body);
const world = (body: string, more: Readonly<Record<string, FakeFile>> = {}): SandboxOptions => ({
  files: { [`${PROJECT}/.omc/skills/a.md`]: skill("Fix login", body), ...more },
});
const PLAIN = world("Look at $ARGUMENTS first. Then at $ARGUMENTS again.");
const says = { says: "note", message: "skill" } as const;
const near = { says: "note", message: "near" } as const;

testPolicy(policy, {
  hit: [
    {
      name: "a skill by its name",
      event: prompt("/fix-login the form"),
      ...PLAIN,
      ...says,
      text: "Look at the form first. Then at the form again.",
    },
    {
      name: "its file",
      event: prompt("/fix-login"),
      ...PLAIN,
      ...says,
      text: "`fix-login`. What it says, from .omc/skills/a.md:\nLook",
    },
    {
      name: "behind blanks, as a terminal needs it",
      event: prompt("  /fix-login x"),
      ...PLAIN,
      ...says,
      text: "Look at x first",
    },
    { name: "capital letters", event: prompt("/Fix-Login x"), ...PLAIN, ...says },
    { name: "an underscore", event: prompt("/fix_login x"), ...PLAIN, ...says },
    {
      name: "all lines of its arguments",
      event: prompt("/fix-login one\ntwo"),
      ...PLAIN,
      ...says,
      text: "Look at one\ntwo first",
    },
    {
      name: "by the command of the plugin",
      event: prompt("/omc:skill fix-login the form"),
      ...PLAIN,
      ...says,
      text: "Look at the form",
    },
    {
      name: "by its short name",
      event: prompt("/skill fix-login the form"),
      ...PLAIN,
      ...says,
      text: "Look at the form",
    },
    {
      name: "a second time",
      after: [prompt("/fix-login x")],
      event: prompt("/fix-login y"),
      ...PLAIN,
      ...says,
      text: "Look at y",
    },
    {
      name: "without a place for arguments",
      event: prompt("/fix-login the form"),
      ...world("Restart it."),
      ...says,
      text: "Restart it.\n\nThe request: the form",
    },
    {
      name: "of the person",
      event: prompt("/mine"),
      files: { [`${USER_HOME}/.claude/local-skills/mine.md`]: skill("mine", "Restart it.") },
      ...says,
      text: "~/.claude/local-skills/mine.md",
    },
    {
      name: "the nearest name",
      event: prompt("/fix-logn x"),
      ...PLAIN,
      ...near,
      text: "No learned skill is called `fix-logn`. Did you mean `fix-login`?",
    },
    { name: "the nearest name by the plugin", event: prompt("/skill fix-logn"), ...PLAIN, ...near },
    {
      name: "a command line in it",
      event: prompt("/fix-login x"),
      ...world("!touch $ARGUMENTS\nGo on."),
      ...says,
      text: "none of them was run. What it says, from .omc/skills/a.md:\n!touch x\nGo on.",
    },
  ],
  pass: [
    { name: "no skills", event: prompt("/fix-login x") },
    { name: "a name that is near to none", event: prompt("/deploy x"), ...PLAIN },
    { name: "a path", event: prompt("/fix-login/a is full"), ...PLAIN },
    { name: "in the middle", event: prompt("use /fix-login"), ...PLAIN },
    { name: "in code", event: prompt("```\n/fix-login x\n```"), ...PLAIN },
    { name: "a prompt of a machine", event: prompt("<task-notification>\n/fix-login"), ...PLAIN },
    { name: "a prompt of another source", event: prompt("/fix-login x", { source: "schedule" }), ...PLAIN },
    { name: "inside of a subagent", event: prompt("/fix-login x", { agent_id: "a1" }), ...PLAIN },
    { name: "another plugin's", event: prompt("/other:fix-login x"), ...PLAIN },
    { name: "blanks", event: prompt(" "), ...PLAIN },
    { name: "a digit", event: prompt("/1st"), ...PLAIN },
    ...["ralph", "omc:ralph", "help", "clear", "history", "exit", "quit", "review", "cancel"].map((name) => ({
      name: `/${name}, although there is such a skill`,
      event: prompt(`/${name} x`),
      files: { [`${PROJECT}/.omc/skills/a.md`]: skill(name.replace("omc:", ""), "x") },
    })),
    {
      name: "a command of the project",
      event: prompt("/fix-login x"),
      ...world("x", { [`${PROJECT}/.claude/commands/fix-login.md`]: "x" }),
    },
    {
      name: "a command in a folder",
      event: prompt("/fix-login x"),
      ...world("x", { [`${PROJECT}/.claude/commands/web/fix-login.md`]: "x" }),
    },
    {
      name: "a skill of the client",
      event: prompt("/fix-login x"),
      ...world("x", { [`${USER_HOME}/.claude/skills/fix-login/SKILL.md`]: "x" }),
    },
    {
      name: "a near name of a command",
      event: prompt("/fix-logi x"),
      ...world("x", { [`${USER_HOME}/.claude/commands/fix-logi.md`]: "x" }),
    },
    {
      name: "a skill that is a link out of its folder",
      event: prompt("/fix-login x"),
      files: { [`${PROJECT}/.omc/skills/a.md`]: { link: "/srv/a.md" }, "/srv/a.md": skill("Fix login", "x") },
    },
  ],
});

async function noteFor(text: string, body: string) {
  const sandbox = createSandbox([policy], world(body));
  try {
    const { ruling } = await sandbox.send(prompt(text));
    const rows = sandbox.db.all("SELECT key FROM entries WHERE store = 'skills' ORDER BY key");
    return { text: ruling.notes.map((note) => note.text).join("\n"), keys: rows.map(({ key }) => String(key)) };
  } finally {
    sandbox.close();
  }
}

describe("the text of a called skill", () => {
  it("takes the arguments as they were typed", async () => {
    const { text } = await noteFor("/fix-login $& `$(touch x)` $ARGUMENTS {text}", "Do $ARGUMENTS.");
    expect(text).toMatch(/Do \$& `\$\(touch x\)` \$ARGUMENTS \{text\}\.$/);
  });
  it("says nothing of commands where the line is an example", async () => {
    expect((await noteFor("/fix-login", "```sh\n!ls\n```\nGo on! !x")).text).not.toContain("was run");
  });
  it("is cut with its file", async () => {
    const { text } = await noteFor("/fix-login", "word ".repeat(3_000));
    expect(text.length).toBeLessThan(6_000);
    expect(text).toContain("(cut: read .omc/skills/a.md)");
  });
  it("is no use where the prompt was refused, or where the policy only observes", async () => {
    const denies = {
      ...policy,
      id: "detection/denies",
      stage: "security",
      uses: undefined,
      settled: {},
      on: { "prompt.submit": (_event: unknown, ctx: { deny: (...args: unknown[]) => unknown }) => ctx.deny("near") },
    } as unknown as typeof policy;
    const keysOf = async (policies: readonly (typeof policy)[], mode: "observe" | "enforce") => {
      const sandbox = createSandbox(policies, { ...PLAIN, mode });
      await sandbox.send(prompt("/fix-login x"));
      const rows = sandbox.db.all("SELECT key FROM entries WHERE store = 'skills' ORDER BY key");
      sandbox.close();
      return rows.map(({ key }) => String(key));
    };
    expect(await keysOf([denies, policy], "enforce")).toEqual([]);
    expect(await keysOf([policy], "observe")).toEqual([expect.stringMatching(/^session /)]);
  });
  it("is counted as a use, and is not told again by itself", async () => {
    const { keys } = await noteFor("/fix-login", "x");
    expect(keys).toEqual([expect.stringMatching(/^session /), "use project fix-login"]);
  });
});
