import { describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { withEntry, withPriority } from "../../domain/notepad/edits.ts";
import { NEW_NOTEPAD } from "../../domain/notepad/sections.ts";
import { claudeEvent, PROJECT, toolAfter } from "../../testing/events.ts";
import { FAKE_NOW } from "../../testing/fake-ports.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./notepad.ts";

const FILE = `${PROJECT}/.omc/notepad.md`;
const DAY = 86_400_000;

const starts = (source = "startup"): AnyEvent => claudeEvent({ hook_event_name: "SessionStart", source });
const subagentStops = (message: string, more: JsonObject = {}): AnyEvent =>
  claudeEvent({
    hook_event_name: "SubagentStop",
    stop_hook_active: false,
    agent_id: "a1",
    agent_type: "Explore",
    last_assistant_message: message,
    ...more,
  });
const handsBack = (message: string): AnyEvent =>
  toolAfter("SubagentHandback", { message }, "toolu_1", { agent_id: "a1", agent_type: "Explore" });

const withFile = (text: string): SandboxOptions => ({ files: { [FILE]: text } });
const frozen = withFile(withPriority(NEW_NOTEPAD, "the API is frozen"));
const busy = withFile(withEntry(NEW_NOTEPAD, "working", "use npm ci", FAKE_NOW - DAY));
const told = { says: "note", message: "notes" } as const;
const unusable = { says: "notice", message: "unusable" } as const;

testPolicy(policy, {
  hit: [
    { name: "a priority context", event: starts(), ...frozen, ...told, text: "the API is frozen" },
    { name: "the file is named", event: starts(), ...frozen, ...told, text: ".omc/notepad.md" },
    { name: "after /clear", event: starts("clear"), ...frozen, ...told, text: "the API is frozen" },
    { name: "of a forked session", event: starts("fork"), ...frozen, ...told },
    { name: "of a resumed session that was not told", event: starts("resume"), ...frozen, ...told },
    {
      name: "once more after a compaction",
      after: [starts()],
      event: starts("compact"),
      ...frozen,
      ...told,
      text: "the API is frozen",
    },
    { name: "a working memory", event: starts(), ...busy, ...told, text: "Its working memory has 1 note." },
    { name: "its notes after a compaction", event: starts("compact"), ...busy, ...told, text: "use npm ci" },
    {
      name: "a link in the place of the file",
      event: starts(),
      files: { [FILE]: { link: "/etc/passwd" }, "/etc/passwd": "## Priority Context\nx\n" },
      ...unusable,
      text: ".omc/notepad.md is no plain file",
    },
    {
      name: "a link in the place of the folder",
      event: starts(),
      files: { [`${PROJECT}/.omc`]: { link: "/srv/omc" }, "/srv/omc/notepad.md": "## Priority Context\nx\n" },
      ...unusable,
      text: ".omc is no plain folder",
    },
    {
      name: "a file that is too large",
      event: starts(),
      ...withFile(`## Priority Context\n${"x".repeat(300_000)}\n`),
      ...unusable,
      text: "cannot be read",
    },
    {
      name: "a file that is no text",
      event: starts(),
      ...withFile("## Priority Context\n\uFFFD\n"),
      ...unusable,
      text: "is not UTF-8 text",
    },
  ],
  pass: [
    { name: "no notepad", event: starts() },
    { name: "an empty notepad", event: starts(), ...withFile(NEW_NOTEPAD) },
    { name: "only manual notes", event: starts(), ...withFile(withEntry(NEW_NOTEPAD, "manual", "mine", FAKE_NOW)) },
    { name: "told before in a resumed session", after: [starts()], event: starts("resume"), ...frozen },
    {
      name: "a problem that the person was told of",
      after: [starts()],
      event: starts("compact"),
      files: { [FILE]: { link: "/etc/passwd" } },
    },
    { name: "a subagent that ends", event: subagentStops("<remember>x</remember>"), ...frozen },
  ],
});

/** The jobs that these events leave. */
async function jobsOf(events: readonly AnyEvent[], options: SandboxOptions = {}): Promise<JsonObject[]> {
  const sandbox = createSandbox([policy], options);
  try {
    for (const event of events) await sandbox.send(event);
    const rows = sandbox.db.all("SELECT name, args FROM jobs WHERE name LIKE 'notepad/%' ORDER BY id");
    return rows.map((row) => JSON.parse(String(row.args)));
  } finally {
    sandbox.close();
  }
}
const note = (text: string, isPriority = false) => ({ isPriority, text });

describe("what a subagent wants to be remembered", () => {
  it("is left to a job, with the project and the time", async () => {
    expect(await jobsOf([subagentStops("Done. <remember>use npm ci</remember>")])).toEqual([
      { project: PROJECT, notes: [note("use npm ci")], at: FAKE_NOW, prunes: false },
    ]);
  });
  it.each([
    ["a note with priority", subagentStops("<remember priority>frozen</remember>"), [note("frozen", true)]],
    ["several notes", subagentStops("<remember>a</remember><remember>b</remember>"), [note("a"), note("b")]],
    ["a report that is handed back", handsBack("<remember>a</remember>"), [note("a")]],
    [
      "a secret is masked",
      subagentStops(`<remember>password=${"hunter2hunter2"}</remember>`),
      [note("password=[masked]")],
    ],
  ])("%s", async (_name, event, notes) => {
    expect(await jobsOf([event])).toEqual([expect.objectContaining({ notes })]);
  });
  it.each([
    ["no tag", subagentStops("Done.")],
    ["a tag in code", subagentStops("Use `<remember>x</remember>`.")],
    ["the end of a compaction", subagentStops("<remember>x</remember>", { agent_type: "" })],
    [
      "another tool",
      toolAfter("Write", { message: "<remember>x</remember>" }, "toolu_2", { agent_id: "a1", agent_type: "x" }),
    ],
    ["the main thread", toolAfter("SubagentHandback", { message: "<remember>x</remember>" }, "toolu_3")],
  ])("nothing of %s", async (_name, event) => {
    expect(await jobsOf([event])).toEqual([]);
  });
  it("is kept once in a session", async () => {
    const same = subagentStops("<remember>a</remember><remember>b</remember>");
    const jobs = await jobsOf([
      subagentStops("<remember>a</remember>"),
      same,
      same,
      handsBack("<remember>b</remember>"),
    ]);
    expect(jobs.map(({ notes }) => notes)).toEqual([[note("a")], [note("b")]]);
  });
  it("is not kept while another policy holds the subagent", async () => {
    const holder = {
      ...policy,
      id: "enhancement/holder",
      stage: "ntm",
      uses: undefined,
      settled: {},
      on: {
        "subagent.stop": (_event: unknown, ctx: { hold: (...args: unknown[]) => unknown }) =>
          ctx.hold("notes", {}, { exit: "x" }),
      },
    } as unknown as typeof policy;
    const sandbox = createSandbox([holder, policy]);
    const { ruling } = await sandbox.send(subagentStops("<remember>a</remember>"));
    expect(ruling.outcome).toBe("hold");
    expect(sandbox.db.all("SELECT name FROM jobs WHERE name LIKE 'notepad/%'")).toEqual([]);
    sandbox.close();
  });
});

describe("old notes", () => {
  const aged = (days: number) => withFile(withEntry(NEW_NOTEPAD, "working", "old", FAKE_NOW - days * DAY));
  it("are removed by a job when a session starts", async () => {
    expect(await jobsOf([starts()], aged(8))).toEqual([{ project: PROJECT, notes: [], at: FAKE_NOW, prunes: true }]);
  });
  it("stay for seven days", async () => {
    expect(await jobsOf([starts()], aged(6))).toEqual([]);
  });
  it("stay for ever in other sections", async () => {
    const text = withEntry(withPriority(NEW_NOTEPAD, "x"), "manual", "old", FAKE_NOW - 80 * DAY);
    expect(await jobsOf([starts()], withFile(text))).toEqual([]);
  });
  it("stay when the policy only observes", async () => {
    expect(await jobsOf([starts()], { ...aged(8), mode: "observe" })).toEqual([]);
  });
});

it("fits into the context of a session start with the longest notes there can be", async () => {
  const texts = Array.from({ length: 30 }, (_, index) => `${index} ${"note ".repeat(100)}`);
  const text = texts.reduce(
    (notepad, one, index) => withEntry(notepad, "working", one, FAKE_NOW - index),
    withPriority(NEW_NOTEPAD, "word ".repeat(2_000)),
  );
  const sandbox = createSandbox([policy], withFile(text));
  const { ruling } = await sandbox.send(starts("compact"));
  expect(ruling.notes.map((one) => one.text).join("").length).toBeLessThan(1_900);
  sandbox.close();
});
