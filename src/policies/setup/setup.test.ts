import { describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { setupReports } from "../../domain/setup/store.ts";
import { mirrorOf } from "../../state/exported-files.ts";
import { openTable } from "../../state/stores.ts";
import { claudeEvent, PROJECT, SESSION, USER_HOME } from "../../testing/events.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./setup.ts";

const setup = (trigger: unknown): AnyEvent => claudeEvent({ hook_event_name: "Setup", trigger } as JsonObject);
const starts = (source = "startup", more: JsonObject = {}): AnyEvent =>
  claudeEvent({ hook_event_name: "SessionStart", source, ...more });

const writes = (session = SESSION): AnyEvent =>
  claudeEvent({ hook_event_name: "UserPromptSubmit", prompt: "go on", session_id: session });

const told = { says: "note", message: "told" } as const;
const problem = { says: "notice", message: "problem" } as const;
const initialized = { says: "environment", message: "initialized" } as const;
const bothSaid = { ...told, also: [problem] } as const;
const ALL = ["", "state/", "logs/", "notepads/", "state/checkpoints/", "plans/"].map(
  (folder) => `${PROJECT}/.omc/${folder}.gitignore`,
);
const allThere = Object.fromEntries(ALL.map((file) => [file, "*\n"]));
const inProject = (name: string, text: string): SandboxOptions => ({
  files: { ...allThere, [`${PROJECT}/${name}`]: text },
});
const again = { event: starts(), ...told, text: "Setup of .omc: " } as const;
const initThenStart = { after: [setup("init")], event: starts() } as const;

testPolicy(policy, {
  hit: [
    { name: "the variable, at init", event: setup("init"), ...initialized },
    { name: "the variable, also where all is there", event: setup("init"), files: allThere, ...initialized },
    { name: "what init made", ...initThenStart, ...told, text: "made .omc, .omc/state, .omc/logs, .omc/notepads," },
    { name: "with the last folder", ...initThenStart, ...told, text: ".omc/state/checkpoints, .omc/plans." },
    { name: "that all was there", ...initThenStart, files: allThere, ...told, text: "its 5 folders were there" },
    {
      name: "only what was missing",
      ...initThenStart,
      files: { [`${PROJECT}/.omc/state/x`]: "x", [`${PROJECT}/.omc/plans/x`]: "x" },
      ...told,
      text: "made .omc/logs, .omc/notepads, .omc/state/checkpoints.",
    },
    {
      name: "init twice, once",
      after: [setup("init"), setup("init")],
      event: starts(),
      files: allThere,
      ...told,
      text: "Setup of .omc: its 5 folders were there.",
    },
    { name: "to another session of the project", ...initThenStart, event: starts("resume"), ...told },
    { name: "again, if nobody wrote in the session that was told", after: [setup("init"), starts()], ...again },
    {
      name: "again, if somebody wrote in another session only",
      after: [setup("init"), starts(), writes("another")],
      ...again,
    },
    { name: "what was done since", after: [setup("init"), starts(), setup("init"), writes()], ...again },
    {
      name: "a link in the place of the folder",
      ...initThenStart,
      files: { [`${PROJECT}/.omc`]: { link: "/srv/omc" } },
      ...problem,
      text: ".omc is no plain folder, so nothing was made in it.",
    },
    { name: "settings that are no JSON", ...initThenStart, ...inProject(".omc/config.json", "{"), ...bothSaid },
    { name: "settings that are a list", ...initThenStart, ...inProject(".omc/config.json", "[]"), ...bothSaid },
    {
      name: "the person's settings",
      ...initThenStart,
      files: { ...allThere, [`${USER_HOME}/.claude/.omc-config.json`]: "no" },
      ...bothSaid,
    },
    {
      name: "settings that are too large",
      ...initThenStart,
      ...inProject(".omc/config.json", `"${"x".repeat(300_000)}"`),
      ...bothSaid,
    },
  ],
  pass: [
    { name: "an unknown trigger", event: setup("upgrade") },
    { name: "no trigger", event: setup(undefined) },
    { name: "maintenance, which is a job", event: setup("maintenance") },
    { name: "a session without a setup before it", event: starts() },
    { name: "told before", after: [setup("init"), starts(), writes()], event: starts() },
    {
      name: "a problem that was told before",
      after: [setup("init"), starts(), writes()],
      event: starts(),
      files: { [`${PROJECT}/.omc`]: { link: "/srv/omc" } },
    },
    { name: "an unknown trigger is not told", after: [setup("upgrade")], event: starts() },
    {
      name: "a subagent's start",
      after: [setup("init")],
      event: starts("startup", { agent_id: "a1", agent_type: "Explore" }),
    },
  ],
});

/** What these events leave to be written, and the jobs. */
async function leftBy(events: readonly AnyEvent[], options: SandboxOptions = {}) {
  const sandbox = createSandbox([policy], options);
  try {
    for (const event of events) await sandbox.send(event);
    const files = sandbox.db.all("SELECT path FROM mirrors ORDER BY path").map((row) => String(row.path));
    const jobs = sandbox.db.all("SELECT name, args FROM jobs WHERE name LIKE 'setup/%'");
    const { reports, text } = {
      reports: setupReports.open(openTable(sandbox.db, `project:${PROJECT}`, setupReports.name)).untold(),
      text: files[0] === undefined ? undefined : mirrorOf(sandbox.db, files[0])?.content,
    };
    return { files, jobs: jobs.map((row) => [row.name, JSON.parse(String(row.args))]), reports, text };
  } finally {
    sandbox.close();
  }
}

describe("init", () => {
  it("makes each folder with a file that keeps it out of git", async () => {
    expect(await leftBy([setup("init")])).toMatchObject({ files: [...ALL].sort(), text: "*\n" });
  });
  it("leaves folders that are there as they are", async () => {
    expect((await leftBy([setup("init")], { files: allThere })).files).toEqual([]);
  });
  it.each([
    [".omc is a link", { [`${PROJECT}/.omc`]: { link: "/srv/omc" } }, [], ".omc is no plain folder"],
    [
      "one folder is a link",
      { ...allThere, [`${PROJECT}/.omc/logs/.gitignore`]: "", [`${PROJECT}/.omc/logs`]: { link: "/etc" } },
      [],
      ".omc/logs is no plain folder",
    ],
    ["a file stands there", { [`${PROJECT}/.omc`]: "x" }, [], ".omc is no plain folder"],
  ])("makes nothing where %s", async (_name, files, made, says) => {
    const left = await leftBy([setup("init")], { files });
    expect(left.files).toEqual(made);
    expect(left.reports[0]?.problems).toEqual([`${says}, so nothing was made in it.`]);
  });
  it("names the settings file that cannot be used, and leaves it", async () => {
    const file = `${PROJECT}/.omc/config.json`;
    const left = await leftBy([setup("init")], { files: { ...allThere, [file]: "{" } });
    expect(left.reports[0]?.problems).toEqual([`${file} is not used: it is not JSON.`]);
    expect(left.files).toEqual([]);
  });
  it("makes nothing when the policy only observes", async () => {
    expect(await leftBy([setup("init")], { mode: "observe" })).toMatchObject({ files: [], jobs: [] });
  });
});

describe("maintenance", () => {
  it("is a job with the project, and makes nothing by itself", async () => {
    const left = await leftBy([setup("maintenance")]);
    expect(left).toMatchObject({ files: [], jobs: [["setup/maintain", { project: PROJECT }]], reports: [] });
  });
  it.each(["init", "upgrade", "", 7, null])("is no job for the trigger %j", async (trigger) => {
    expect((await leftBy([setup(trigger)])).jobs).toEqual([]);
  });
});

it("a report that there was no room for is told by the next session", async () => {
  const sandbox = createSandbox([policy], { contextBudget: { start: 0, tool: 0 } });
  await sandbox.send(setup("init"));
  expect((await sandbox.send(starts())).ruling.notes).toEqual([]);
  const reports = setupReports.open(openTable(sandbox.db, `project:${PROJECT}`, setupReports.name));
  expect(reports.untold()).toHaveLength(1);
  sandbox.close();
});

it("a session that is told nothing writes nothing", async () => {
  const sandbox = createSandbox([policy]);
  for (const event of [starts(), writes(), starts("clear")]) await sandbox.send(event);
  expect(sandbox.db.all("SELECT key FROM entries WHERE store = ?", setupReports.name)).toEqual([]);
  sandbox.close();
});
