import { describe, expect, it } from "vitest";
import type { AnyEvent } from "../../core/event.ts";
import {
  bash,
  call,
  edit,
  hasRun,
  noSession,
  PID,
  playSessionEvents,
  read,
  worldInSession,
} from "../../domain/session/session.samples.ts";
import { PROJECT, USER_HOME } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./discovery.ts";

const FILE = `${PROJECT}/src/deep/a.ts`;
const opened = (file = FILE): AnyEvent => hasRun(read(file));
const tree = (...files: string[]) => Object.fromEntries(files.map((file) => [`${PROJECT}/${file}`, "x"]));
const found = { says: "note", message: "found" } as const;
/** Another project, which also contains the session. */
const elsewhere = (file: string) => ({
  ...worldInSession(),
  files: {
    "/srv/.git": { dir: 0o755 },
    "/srv/sessions/X/.state.json": JSON.stringify({ pid: PID, lifecycle: "active" }),
    [`/srv/${file}`]: "x",
  },
});
const one = (...files: string[]) => worldInSession({}, { [FILE]: "x", ...tree(...files) });

testPolicy(policy, {
  hit: [
    {
      name: "in the same folder",
      event: opened(),
      ...one("src/deep/PITFALLS.md"),
      ...found,
      text: "src/deep/PITFALLS.md",
    },
    { name: "in a folder above", event: opened(), ...one("src/INVARIANTS.md"), ...found, text: "src/INVARIANTS.md" },
    { name: "at the top", event: opened(), ...one("AGENTS.md"), ...found, text: `${PROJECT}/AGENTS.md` },
    { name: "a readme", event: opened(), ...one("README.md"), ...found, text: "README.md" },
    { name: "testing", event: opened(), ...one("src/TESTING.md"), ...found, text: "TESTING.md" },
    { name: "however its name is written", event: opened(), ...one("Readme.md"), ...found, text: "Readme.md" },
    {
      name: "several at once",
      event: opened(),
      ...one("src/deep/README.md", "AGENTS.md"),
      ...found,
      text: "AGENTS.md",
    },
    { name: "the folder is named", event: opened(), ...one("README.md"), ...found, text: `${PROJECT}/src/deep and` },
    { name: "by an edit", event: hasRun(edit(FILE)), ...one("README.md"), ...found },
    {
      name: "in a folder for directives",
      event: opened(),
      ...one("src/.directives/PITFALLS.md", "src/PITFALLS.md"),
      ...found,
      text: "src/.directives/PITFALLS.md.",
    },
    {
      name: "a type that the skill declares",
      event: opened(),
      ...worldInSession({ directives: ["ARCHITECTURE"] }, tree("ARCHITECTURE.md")),
      ...found,
      text: "ARCHITECTURE.md",
    },
    { name: "a type by configuration", event: opened(), ...one("STYLE.md"), options: { types: ["STYLE"] }, ...found },
    {
      name: "the same name elsewhere",
      after: [opened(`${PROJECT}/lib/a.ts`)],
      event: opened(),
      ...one("lib/README.md", "src/README.md"),
      ...found,
      text: "src/README.md",
    },
    {
      name: "where the work began in a folder that is otherwise passed over",
      event: hasRun(read("/srv/dist/a.ts"), { cwd: "/srv/dist" }),
      ...elsewhere("dist/README.md"),
      ...found,
    },
    {
      name: "below such a folder",
      event: hasRun(read("/srv/dist/src/a.ts"), { cwd: "/srv/dist" }),
      ...elsewhere("dist/src/README.md"),
      ...found,
    },
    {
      name: "in a folder for temporary files that is not the project's",
      event: opened("/tmp/scratch/a.ts"),
      ...worldInSession({}, { "/tmp/scratch/README.md": "x" }),
      ...found,
    },
    {
      name: "a checklist",
      event: opened(),
      ...one("src/CHECKLIST.md"),
      says: "note",
      message: "checklist",
      text: "src/CHECKLIST.md",
    },
  ],
  pass: [
    { name: "nothing there", event: opened(), ...one("src/notes.md") },
    { name: "the second visit", after: [opened()], event: opened(`${PROJECT}/src/deep/b.ts`), ...one("README.md") },
    {
      name: "found already from another folder",
      after: [opened(`${PROJECT}/lib/x.ts`)],
      event: opened(),
      ...one("README.md"),
    },
    { name: "without a session", event: opened(), ...noSession, files: tree("README.md") },
    { name: "a completed session", event: opened(), ...worldInSession({ lifecycle: "completed" }, tree("README.md")) },
    {
      name: "the agent's own folder",
      event: opened(`${USER_HOME}/.claude/a/x.md`),
      ...worldInSession({}, { [`${USER_HOME}/.claude/a/README.md`]: "x" }),
    },
    { name: "dependencies", event: opened(`${PROJECT}/node_modules/p/a.js`), ...one("node_modules/p/README.md") },
    { name: "built files", event: opened(`${PROJECT}/dist/a.js`), ...one("dist/README.md") },
    { name: "sessions themselves", event: opened(`${PROJECT}/sessions/X/a.md`), ...one("sessions/X/README.md") },
    { name: "the project's temporary files", event: opened(`${PROJECT}/tmp/a.ts`), ...one("tmp/README.md") },
    {
      name: "built files of another project",
      event: opened("/srv/dist/x/a.ts"),
      ...worldInSession({}, { "/srv/dist/x/README.md": "x" }),
    },
    {
      name: "above a folder of another project",
      event: opened("/srv/x/deep/a.ts"),
      ...worldInSession({}, { "/srv/x/README.md": "x", "/srv/x/deep/a.ts": "x" }),
    },
    { name: "no file", event: hasRun(call("Read")), ...one("README.md") },
    { name: "a file without a name", event: hasRun(read("")), ...worldInSession({}, { "/home/dev/README.md": "x" }) },
    { name: "another tool", event: hasRun(bash("cat src/deep/a.ts")), ...one("README.md") },
    { name: "a type that nobody declared", event: opened(), ...one("CONTRIBUTING.md") },
    { name: "above the project", event: opened(), ...worldInSession({}, { "/home/dev/README.md": "x", [FILE]: "x" }) },
    { name: "the directive that is being read", event: opened(`${PROJECT}/src/README.md`), ...one("src/README.md") },
    {
      name: "a link to one that is known",
      after: [opened(`${PROJECT}/lib/x.ts`)],
      event: opened(),
      ...worldInSession({}, { ...tree("lib/README.md"), [`${PROJECT}/src/README.md`]: { link: "../lib/README.md" } }),
    },
  ],
});

describe("the state", () => {
  it("knows the folder, what is to be read and what is to be answered", async () => {
    const world = one("src/CHECKLIST.md", "src/deep/PITFALLS.md");
    const { state } = await playSessionEvents([policy], [opened()], { ...world });
    const pitfalls = `${PROJECT}/src/deep/PITFALLS.md`;
    const checklist = `${PROJECT}/src/CHECKLIST.md`;
    expect(state).toMatchObject({
      touchedDirs: { [`${PROJECT}/src/deep`]: [pitfalls, checklist] },
      pendingDirectives: [pitfalls],
      directiveReadsWithoutClearing: 0,
      discoveredChecklists: [checklist],
    });
  });
  it("a visit without a find is remembered too", async () => {
    const { state } = await playSessionEvents([policy], [opened()], one());
    expect(state?.touchedDirs).toEqual({ [`${PROJECT}/src/deep`]: [] });
    expect(state?.pendingDirectives).toBeUndefined();
    expect(state?.discoveredChecklists).toBeUndefined();
  });
  it("a checklist that was read is known as read, once", async () => {
    const checklist = `${PROJECT}/src/CHECKLIST.md`;
    const { state } = await playSessionEvents(
      [policy],
      [opened(), opened(checklist), opened(checklist)],
      one("src/CHECKLIST.md"),
    );
    expect(state?.readChecklists).toEqual([checklist]);
  });
  it("however it was read", async () => {
    for (const reading of [bash("cat src/CHECKLIST.md"), call("Grep", { pattern: "x", path: "src/CHECKLIST.md" })]) {
      const { state } = await playSessionEvents([policy], [opened(), hasRun(reading)], one("src/CHECKLIST.md"));
      expect(state?.readChecklists).toEqual([`${PROJECT}/src/CHECKLIST.md`]);
    }
    const { state } = await playSessionEvents(
      [policy],
      [opened(), hasRun(bash("rm src/CHECKLIST.md"))],
      one("src/CHECKLIST.md"),
    );
    expect(state?.readChecklists).toBeUndefined();
  });
});
