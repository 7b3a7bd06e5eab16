import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeBoard, openBoard } from "../../../domain/board/open-board.ts";
import { system } from "../../../system/system.ts";
import { type ModeCall, ModeWorkspace } from "./mode.samples.ts";

let space: ModeWorkspace;
beforeEach(() => {
  space = new ModeWorkspace();
});
afterEach(() => space.dispose());

const AGENT = { caller: "agent-one" };
const modesLeft = (): string[] => space.runs().map(({ mode, session }) => `${mode} ${session}`);
const states = (): string[] => {
  const folder = space.file("");
  const entries = fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  return entries.filter((entry) => entry.name.endsWith("-state.json")).map(({ name }) => name);
};
const wait = (session: string): void =>
  space.store((store) => store.setOther(`deferred:${session}`, [{ mode: "ralph", request: "later" }]));
const isWaiting = (session: string): boolean =>
  space.store((store) => store.other(`deferred:${session}`) !== undefined);

describe("cancel", () => {
  it("by an agent ends all modes of its session, with their files, and keeps them in the history", async () => {
    await space.run("start ralph fix the login", AGENT);
    await space.run("start swarm port the scripts", AGENT);
    await space.run("start ultrawork other work", { caller: "agent-two" });
    const { code, out } = await space.run("cancel", AGENT);
    expect(code).toBe(0);
    expect(out).toBe(
      [
        "Cancelled: ralph (round 0 of 100, 0 of 1 story), swarm (round 0 of 15), ultrawork (round 0 of 50).",
        "Still on: ultrawork (round 0 of 50) in session agent-tw.",
      ].join("\n"),
    );
    expect(modesLeft()).toEqual(["ultrawork agent-two"]);
    expect(states()).toEqual(["ultrawork-state.json", "ultrawork-state.json"]);
    expect(space.read("ultrawork-state.json")).toMatchObject({ session_id: "agent-two" });
    const { modes } = await space.ask("history");
    expect(modes).toHaveLength(3);
    for (const ended of modes) expect(ended).toMatchObject({ session: "agent-one", outcome: "cancelled" });
  });

  it("of one mode ends also what it has started, and nothing else", async () => {
    await space.run("start ralph x", AGENT);
    await space.run("start swarm y", AGENT);
    const { cancelled, left } = await space.ask("cancel ralph", AGENT);
    expect(cancelled).toMatchObject([
      { mode: "ralph", outcome: "cancelled", state: "ended" },
      { mode: "ultrawork", outcome: "cancelled", startedBy: "ralph" },
    ]);
    expect(left).toMatchObject([{ mode: "swarm", state: "active" }]);
  });

  it("of what another mode has started leaves that one", async () => {
    await space.run("start ralph x", AGENT);
    await space.run("cancel ultrawork", AGENT);
    expect(modesLeft()).toEqual(["ralph agent-one"]);
  });

  it("from another terminal means the only session with a mode", async () => {
    await space.run("start ultrawork x", AGENT);
    space.open("agent-two");
    const { out } = await space.run("cancel");
    expect(out).toBe("Cancelled: ultrawork (round 0 of 50) in session agent-on.");
    expect(space.runs()).toEqual([]);
  });

  it.each([
    ["paused", { status: "paused", why: "its 50 rounds are used up" }],
    ["waiting", { status: "waiting", why: "Which one?" }],
    ["detached", { status: "detached", why: "its session ended" }],
    ["stale", { seenAt: 0 }],
  ] as const)("ends a mode that is %s", async (_name, changed) => {
    space.have("ultrawork", "agent-one", changed);
    expect((await space.run("cancel ultrawork")).code).toBe(0);
    expect(space.runs()).toEqual([]);
  });

  it("with several sessions lists them and changes nothing, until one or all are named", async () => {
    space.have("ultrawork", "aaaaaaaa-1");
    space.have("ralph", "bbbbbbbb-2");
    space.have("ultrawork", "cccccccc-3");
    await expect(space.run("cancel", { columns: 100 })).rejects.toMatchObject({
      code: "HW_MODE_SESSION",
      message: "It is not clear which session is meant: aaaaaaaa (ultrawork), bbbbbbbb (ralph), cccccccc (ultrawork).",
      fix: "Nothing was changed. Say which with --session ID, or --all.",
    });
    expect(space.notices.split("\n").map((line) => line.split(/ +/)[0])).toEqual([
      "mode",
      "ultrawork",
      "ralph",
      "ultrawork",
    ]);
    await expect(space.run("cancel ultrawork")).rejects.toMatchObject({
      message: "It is not clear which session is meant: aaaaaaaa (ultrawork), cccccccc (ultrawork).",
    });
    expect(space.runs()).toHaveLength(3);
    await space.run("cancel ralph");
    expect(modesLeft()).toEqual(["ultrawork aaaaaaaa-1", "ultrawork cccccccc-3"]);
    await space.run("cancel", { options: { session: "ccc" } });
    expect(modesLeft()).toEqual(["ultrawork aaaaaaaa-1"]);
    space.have("ralph", "bbbbbbbb-2");
    expect((await space.run("cancel", { options: { all: true } })).out).toMatch(/^Cancelled: .*aaaaaaaa.*bbbbbbbb/);
    expect(space.runs()).toEqual([]);
  });

  it("of one mode in all sessions leaves the others", async () => {
    for (const session of ["aaaaaaaa-1", "bbbbbbbb-2"]) {
      space.have("ultrawork", session);
      space.have("swarm", session);
    }
    await space.run("cancel ultrawork", { options: { all: true } });
    expect(modesLeft()).toEqual(["swarm aaaaaaaa-1", "swarm bbbbbbbb-2"]);
  });

  it("of everything where nothing is on is no error", async () => {
    const { code, out } = await space.run("cancel", { options: { all: true } });
    expect([code, out]).toEqual([0, "No mode is on in this project. There is nothing to cancel."]);
  });

  it("drops a start that waits for the session gate", async () => {
    wait("agent-one");
    wait("agent-two");
    const { out } = await space.run("cancel", AGENT);
    expect(out).toBe("A start that waited for the session gate was dropped.");
    expect([isWaiting("agent-one"), isWaiting("agent-two")]).toEqual([false, true]);
  });

  it("by a person lets every stop of the session pass until somebody writes, by its agent only those of the modes", async () => {
    for (const session of ["agent-one", "agent-two"]) {
      space.open(session);
      space.have("ultrawork", session);
    }
    await space.run("cancel", AGENT);
    await space.run("cancel", { options: { session: "agent-two" } });
    expect([space.isCancelled("agent-one"), space.isCancelled("agent-two")]).toEqual([false, true]);
  });

  it("of one mode by a person leaves the stops of other policies held", async () => {
    space.open("agent-one");
    space.have("ultrawork", "agent-one");
    await space.run("cancel ultrawork");
    expect(space.isCancelled("agent-one")).toBe(false);
  });

  it.each<[string, string, ModeCall, string, string]>([
    ["nothing is on", "cancel", {}, "HW_MODE_NONE", "No mode is on. There is nothing to cancel."],
    ["the mode is not on", "cancel swarm", AGENT, "HW_MODE_NONE", "swarm is not on. There is nothing to cancel."],
    ["there is no such mode", "cancel ultrawrok", AGENT, "HW_MODE_UNKNOWN", "Did you mean `ultrawork`?"],
    ["two modes", "cancel ralph swarm", AGENT, "HW_USAGE", "`cancel` takes one mode, and got `swarm` too."],
    ["no such session", "cancel", { options: { session: "zzz" } }, "HW_MODE_NONE", "called `zzz`, or begins so"],
    ["both options", "cancel", { options: { session: "a", all: true } }, "HW_USAGE", "only one of `--all` and"],
    ["an odd option", "cancel", { options: { rounds: "3" } }, "HW_USAGE", "`cancel` does not take --rounds."],
  ])("is refused where %s", async (_name, words, call, code, message) => {
    if (code !== "HW_MODE_NONE" || words === "cancel swarm") space.have("ultrawork", "agent-one");
    await expect(space.run(words, call)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });
});

describe("cancelling a swarm", () => {
  const board = () => openBoard(space.project, () => space.now);
  beforeEach(async () => {
    makeBoard(space.project, { agents: 2 }, { now: () => space.now, uid: system.uid });
    const open = board();
    for (const text of ["one", "two"]) await open.add({ text, priority: 0, after: [] });
    await open.claim("ada");
    await open.close();
  });

  it("gives back the tasks that are claimed, and lets nobody claim more", async () => {
    space.have("swarm", "agent-one");
    const { out } = await space.run("cancel", AGENT);
    expect(out).toContain("Tasks of the board that are pending again: task-1 of ada.");
    const open = board();
    expect(await open.claim("bob")).toBeUndefined();
    await open.close();
    expect(fs.existsSync(space.file("swarm-active.marker"))).toBe(false);
  });

  it("names them as JSON", async () => {
    space.have("swarm", "agent-one");
    expect((await space.ask("cancel swarm", AGENT)).released).toEqual([{ id: "task-1", text: "one", agent: "ada" }]);
  });

  it.each<[string, string, string[]]>([
    ["while another session has a swarm", "cancel swarm", ["swarm agent-one", "swarm agent-two"]],
    ["when another mode is cancelled", "cancel ralph", ["ralph agent-one", "swarm agent-one"]],
  ])("leaves them claimed %s", async (_name, words, runs) => {
    for (const run of runs) {
      const [mode, session] = run.split(" ") as ["swarm" | "ralph", string];
      space.have(mode, session);
    }
    await space.run(words, AGENT);
    const open = board();
    expect((await open.overview()).tasks).toMatchObject([{ status: "claimed", agent: "ada" }, { status: "pending" }]);
    await open.close();
  });

  it("works where the board cannot be written, and says so", async () => {
    space.have("swarm", "agent-one");
    const file = path.join(space.project, ".omc/state/swarm-tasks.db");
    for (const suffix of ["-wal", "-shm"]) fs.rmSync(file + suffix, { force: true });
    fs.writeFileSync(file, "this is no database, whatever its name says");
    const { code, out } = await space.run("cancel", AGENT);
    expect([code, out]).toEqual([0, "Cancelled: swarm (round 0 of 15)."]);
    expect(space.notices).toContain("is damaged");
    expect(space.runs()).toEqual([]);
  });
});
