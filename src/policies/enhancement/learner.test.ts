import { describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { LOGIN, SOLVED, skillFile } from "../../domain/skills/skills.samples.ts";
import { PROJECT, prompt, stop, USER_HOME } from "../../testing/events.ts";
import { FAKE_NOW, type FakeFile } from "../../testing/fake-ports.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./learner.ts";

const world = (files: Readonly<Record<string, FakeFile>>): SandboxOptions => ({
  files: Object.fromEntries(
    Object.entries(files).map(([name, file]) => [
      name.replace(/^~/, USER_HOME).replace(/^(?!\/)/, `${PROJECT}/`),
      file,
    ]),
  ),
});
const project = (text: string, name = "login.md"): SandboxOptions => world({ [`.omc/skills/${name}`]: text });
const skill = (triggers: string, more: readonly string[] = [], body?: string): string =>
  skillFile([`triggers: ${triggers}`, ...more], body);
const says = { says: "note", message: "skills" } as const;
const unusable = { says: "notice", message: "unusable" } as const;
const suggested = { says: "notice", message: "suggested" } as const;
const stops = (text: string, more: JsonObject = {}): AnyEvent => stop({ last_assistant_message: text, ...more });
const STALE = stops("The build failed because the cache was stale. I fixed it by deleting it first.");
const FAILS = prompt("the login fails again");
const OTHER =
  "The root cause was a deadlock in worker/pool.py: the lock was taken twice.\n\nThe fix is to use threading.RLock in pool.py, " +
  "as the callback runs in the same thread.";

testPolicy(policy, {
  hit: [
    { name: "a trigger", event: FAILS, ...project(LOGIN), ...says, text: "Set the cookie's domain." },
    { name: "its file", event: FAILS, ...project(LOGIN), ...says, text: ".omc/skills/login.md (fix-login):" },
    { name: "capital letters", event: prompt("LOGIN is broken"), ...project(LOGIN), ...says },
    { name: "several words", event: prompt("where is the session  cookie set?"), ...project(LOGIN), ...says },
    { name: "at the beginning of a word", event: prompt("logins fail"), ...project(LOGIN), ...says },
    { name: "another alphabet", event: prompt("ログイン画面"), ...project(skill("[ログイン]")), ...says },
    { name: "inside of a text without blanks", event: prompt("新登录页"), ...project(skill("[登录]")), ...says },
    { name: "an accent", event: prompt("die Übersetzung fehlt"), ...project(skill("[übersetzung]")), ...says },
    { name: "triggers without a list", event: FAILS, ...project(skill("sign in, login")), ...says },
    { name: "nothing but triggers", event: FAILS, ...project(skill("[login]"), "x.md"), ...says, text: "x.md (x):" },
    { name: "Windows lines", event: FAILS, ...project(`\uFEFF${LOGIN.replaceAll("\n", "\r\n")}`), ...says },
    {
      name: "a similar word of a fuzzy skill",
      event: prompt("the migratoin hangs"),
      ...project(skill("[migration]", ["matching: fuzzy"])),
      ...says,
    },
    {
      name: "a word that contains it, of a fuzzy skill",
      event: prompt("remigrations"),
      ...project(skill("[migration]", ["matching: fuzzy"])),
      ...says,
    },
    { name: "in a folder below", event: FAILS, ...project(LOGIN, "web/v1.0/auth/SKILL.md"), ...says },
    { name: "of the person", event: FAILS, ...world({ "~/.claude/local-skills/a.md": LOGIN }), ...says },
    {
      name: "in a linked folder inside",
      event: FAILS,
      ...world({ ".omc/skills/a": { link: `${PROJECT}/.omc/skills/b` }, ".omc/skills/b/x.md": LOGIN }),
      ...says,
    },
    {
      name: "of the original",
      event: FAILS,
      ...world({ "~/.omc/skills/a.md": LOGIN }),
      ...says,
      text: "~/.omc/skills/a.md",
    },
    {
      name: "learned by the original",
      event: FAILS,
      ...world({ "~/.claude/skills/omc-learned/a.md": LOGIN }),
      ...says,
    },
    {
      name: "another skill of the same session",
      after: [FAILS],
      event: prompt("login and the cache"),
      ...world({ ".omc/skills/a.md": LOGIN, ".omc/skills/b.md": skill("[cache]") }),
      ...says,
      text: "b.md",
    },
    {
      name: "again in another session",
      after: [prompt("login", { session_id: "other" })],
      event: FAILS,
      ...project(LOGIN),
      ...says,
    },
    {
      name: "front matter without an end",
      event: FAILS,
      ...project("---\nname: x\n"),
      ...unusable,
      text: "login.md (its front matter has no end)",
    },
    { name: "no triggers", event: FAILS, ...project(skillFile(["name: x"])), ...unusable, text: "it has no triggers" },
    { name: "no text", event: FAILS, ...project(skill("[login]", [], " \n")), ...unusable, text: "it has no text" },
    { name: "no UTF-8", event: FAILS, ...project(`${LOGIN}\uFFFD`), ...unusable, text: "it is not UTF-8 text" },
    { name: "too large", event: FAILS, ...project(LOGIN + "x".repeat(70_000)), ...unusable, text: "more than 64 KB" },
    {
      name: "a usable one beside it",
      event: FAILS,
      ...world({ ".omc/skills/a.md": LOGIN, ".omc/skills/b.md": "---\n" }),
      ...says,
      also: [unusable],
    },
    {
      name: "a solved problem",
      event: stops(SOLVED),
      ...suggested,
      text: ".omc/skills/login-failed-because-vite-config-ts-proxied-api.md",
    },
    { name: "another kind of solved problem", event: stops(OTHER), ...suggested, text: "`hookwright skills promote " },
    {
      name: "written by itself",
      event: stops(SOLVED),
      options: { extract: "auto" },
      says: "notice",
      message: "written",
      text: "It is written to .omc/skills/login",
    },
    {
      name: "five stops later",
      after: [stops(SOLVED), ...Array.from({ length: 5 }, () => stops("Done."))],
      event: stops(OTHER),
      ...suggested,
    },
    {
      name: "what came up often enough",
      after: [STALE, stops("Done."), STALE],
      event: STALE,
      ...suggested,
    },
  ],
  pass: [
    { name: "no skills", event: FAILS },
    { name: "another prompt", event: prompt("fix the parser"), ...project(LOGIN) },
    { name: "told before", after: [FAILS], event: FAILS, ...project(LOGIN) },
    { name: "a prompt of blanks", event: prompt(" \n"), ...project(LOGIN) },
    { name: "a prompt of a machine", event: prompt("<task-notification>login</task-notification>"), ...project(LOGIN) },
    { name: "inside of a word", event: prompt("the latest one"), ...project(skill("[test]")) },
    { name: "a short trigger inside of a word", event: prompt("city"), ...project(skill("[ci]")) },
    { name: "a similar word of an exact skill", event: prompt("migratoin"), ...project(skill("[migration]")) },
    {
      name: "a word that is not similar enough",
      event: prompt("mitigate"),
      ...project(skill("[migration]", ["matching: fuzzy"])),
    },
    {
      name: "a short word that a fuzzy trigger contains",
      event: prompt("a cat"),
      ...project(skill("[authentication]", ["matching: fuzzy"])),
    },
    { name: "what the person calls by its name", event: prompt("/fix-login the login page"), ...project(LOGIN) },
    { name: "a file without front matter", event: FAILS, ...project("# Login\n", "README.md") },
    { name: "another kind of file", event: FAILS, ...project(LOGIN, "login.txt") },
    { name: "a problem that was told", after: [FAILS], event: FAILS, ...project("---\nname: x\n") },
    {
      name: "a link out of the folder",
      event: FAILS,
      ...world({ ".omc/skills/a.md": { link: "/srv/a.md" }, "/srv/a.md": LOGIN }),
    },
    {
      name: "a linked folder out of it",
      event: FAILS,
      ...world({ ".omc/skills/a": { link: "/srv/skills" }, "/srv/skills/a.md": LOGIN }),
    },
    {
      name: "a link into another folder of skills",
      event: FAILS,
      ...world({ ".omc/skills/a.md": { link: "/srv/a/../b.md" }, "/srv/b.md": LOGIN }),
    },
    { name: "a folder that is deeper than ten", event: FAILS, ...project(LOGIN, `${"a/".repeat(11)}x.md`) },
    { name: "only work that was done", event: stops("I added the form and ran the tests. All of them pass.") },
    {
      name: "what is only planned",
      event: stops("The login failed because of the proxy. I will fix the proxy in vite.config.ts next."),
    },
    { name: "a question", event: stops("Was the problem fixed by the port in vite.config.ts?") },
    { name: "in code", event: stops("```\nThe bug was in a.ts. I fixed it by using b.ts instead of it.\n```") },
    {
      name: "words that say nothing",
      event: stops("The problem was strange. I fixed it, try again, it works fine now."),
    },
    { name: "switched off", event: stops(SOLVED), options: { extract: "off" } },
    { name: "a subagent", event: stops(SOLVED, { agent_id: "a1", agent_type: "Explore" }) },
    { name: "the same once more", after: [stops(SOLVED)], event: stops(SOLVED) },
    { name: "what came up once before", after: [STALE], event: STALE },
    { name: "soon after another one", after: [stops(SOLVED), stops("Done.")], event: stops(OTHER) },
    {
      name: "a file of that name",
      event: stops(SOLVED),
      ...project("mine", "login-failed-because-vite-config-ts-proxied-api.md"),
    },
    {
      name: "a skill with the same triggers",
      event: stops(SOLVED),
      ...project(skill("[econnrefused, vite.config.ts, server.proxy, login, proxy, port]")),
    },
    {
      name: "a link in the place of the folder",
      event: stops(SOLVED),
      ...world({ ".omc/skills": { link: "/srv/skills" } }),
    },
  ],
});

async function ruling(events: readonly AnyEvent[], options: SandboxOptions) {
  const sandbox = createSandbox([policy], options);
  try {
    let notes: readonly string[] = [];
    for (const event of events) notes = (await sandbox.send(event)).ruling.notes.map(({ text }) => text);
    const jobs = sandbox.db.all("SELECT name, args FROM jobs WHERE name = 'skills/write'");
    const rows = sandbox.db.all("SELECT key, value FROM entries WHERE store = 'skills' ORDER BY key");
    return {
      text: notes.join("\n"),
      jobs: jobs.map(({ args }) => JSON.parse(String(args)) as JsonObject),
      uses: rows.filter(({ key }) => String(key).startsWith("use ")).map(({ key, value }) => `${key} ${value}`),
    };
  } finally {
    sandbox.close();
  }
}
const orderOf = (text: string): string[] => [...text.matchAll(/skills\/(\w+)\.md \(/g)].map(([, name]) => name ?? "");

describe("which skills a prompt brings", () => {
  it("the best three", async () => {
    const files = {
      ".omc/skills/one.md": skill("[alpha]"),
      ".omc/skills/two.md": skill("[alpha, beta]"),
      ".omc/skills/three.md": skill("[alpha, beta, gamma]"),
      ".omc/skills/good.md": skill("[alpha]", ["quality: 100"]),
    };
    const { text } = await ruling([prompt("alpha beta gamma")], world(files));
    expect(orderOf(text)).toEqual(["three", "two", "good"]);
  });
  it("a trigger counts more than tags and quality", async () => {
    const files = {
      ".omc/skills/a.md": skill("[alpha]", ["quality: 100", "tags: [beta]"]),
      ".omc/skills/b.md": skill("[alpha, beta]"),
    };
    expect(orderOf((await ruling([prompt("alpha beta")], world(files))).text)).toEqual(["b", "a"]);
  });
  it("that of the project, of two with the same id", async () => {
    const files = {
      ".omc/skills/a.md": skill("[alpha]", ["id: same"], "ours"),
      "~/.claude/local-skills/b.md": skill("[alpha, beta]", ["id: same"], "theirs"),
    };
    expect((await ruling([prompt("alpha beta")], world(files))).text).toMatch(/ours$/);
    // Also where only the other one fits.
    expect((await ruling([prompt("beta")], world(files))).text).toBe("");
  });
  it("counts a use by id", async () => {
    const { uses } = await ruling([FAILS, FAILS, prompt("login", { session_id: "other" })], project(LOGIN));
    expect(uses).toEqual([`use project fix-login {"uses":2,"last":${FAKE_NOW}}`]);
  });
  it("tells again what the agent was not told, because the prompt was refused", async () => {
    const denies = {
      ...policy,
      id: "enhancement/denies",
      stage: "security",
      uses: undefined,
      settled: {},
      on: {
        "prompt.submit": (event: { prompt: string }, ctx: { deny: (...args: unknown[]) => unknown }) =>
          event.prompt.includes("now") ? ctx.deny("unusable", { files: "x" }) : undefined,
      },
    } as unknown as typeof policy;
    const sandbox = createSandbox([denies, policy], project(LOGIN));
    expect((await sandbox.send(prompt("login now"))).ruling).toMatchObject({ outcome: "deny", notes: [] });
    expect(sandbox.db.all("SELECT key FROM entries WHERE store = 'skills'")).toEqual([]);
    expect((await sandbox.send(FAILS)).ruling.notes).toHaveLength(1);
    sandbox.close();
  });
  it("writes nothing at a prompt and at a stop that need nothing", async () => {
    const sandbox = createSandbox([policy], project(LOGIN));
    for (const event of [prompt("the parser"), stops("Done."), prompt("the parser")]) await sandbox.send(event);
    expect(sandbox.db.all("SELECT key FROM entries WHERE store = 'skills'")).toEqual([]);
    sandbox.close();
  });
  it("observes a skill once in a session as well", async () => {
    const sandbox = createSandbox([policy], { ...project(LOGIN), mode: "observe" });
    const said = async () => (await sandbox.send(FAILS)).results.flatMap(({ verdicts }) => verdicts).length;
    expect([await said(), await said()]).toEqual([1, 0]);
    sandbox.close();
  });
  it("counts nothing where it only observes", async () => {
    expect(await ruling([FAILS], { ...project(LOGIN), mode: "observe" })).toEqual({ text: "", jobs: [], uses: [] });
  });
  it("takes at most 3,000 characters and says where the rest is", async () => {
    const long = skill("[alpha]", [], "word ".repeat(2_000));
    const files = { ".omc/skills/a.md": long, ".omc/skills/b.md": long, ".omc/skills/c.md": long };
    const { text } = await ruling([prompt("alpha")], world(files));
    expect(text.length).toBeLessThan(3_200);
    expect(text).toContain("(cut: read .omc/skills/a.md)");
    expect(text).toContain("Also to be read: .omc/skills/b.md, .omc/skills/c.md");
  });
});

describe("a skill that is written by itself", () => {
  const auto: SandboxOptions = { options: { extract: "auto" } };
  it("is left to a job, without its secrets", async () => {
    const secret = `password=${"hunter2hunter2"}`;
    const { jobs } = await ruling([stops(SOLVED.replace("port 8080", `port 8080 and ${secret}`))], auto);
    expect(jobs).toEqual([
      expect.objectContaining({
        project: PROJECT,
        userHome: USER_HOME,
        draft: expect.objectContaining({ source: "extracted" }),
      }),
    ]);
    expect(JSON.stringify(jobs)).toContain("password=[masked]");
    expect(JSON.stringify(jobs)).not.toContain("hunter2");
  });
  it.each<[string, SandboxOptions]>([
    ["when it is only suggested", {}],
    ["when the policy only observes", { ...auto, mode: "observe" }],
  ])("is not %s", async (_name, options) => {
    expect((await ruling([stops(SOLVED)], options)).jobs).toEqual([]);
  });
});
