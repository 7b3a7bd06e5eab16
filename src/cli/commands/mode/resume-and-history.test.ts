import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_ROUNDS, STALE_MS } from "../../../domain/mode/modes.ts";
import { type ModeCall, ModeWorkspace } from "./mode.samples.ts";

let space: ModeWorkspace;
beforeEach(() => {
  space = new ModeWorkspace();
});
afterEach(() => space.dispose());

const AGENT = { caller: "agent-one" };
const USED_UP = { status: "paused", round: 50, why: "its 50 rounds are used up" } as const;
const only = () => space.runs()[0];

describe("resume", () => {
  it.each<[string, ModeCall, number]>([
    ["as many rounds as at the start", {}, 100],
    ["the rounds that are named", { options: { rounds: "3" } }, 53],
  ])("gives a mode whose rounds are used up %s", async (_name, call, limit) => {
    space.have("ultrawork", "agent-one", USED_UP);
    const { out } = await space.run("resume", { ...AGENT, ...call });
    expect(only()).toMatchObject({ status: "active", round: 50, limit, why: "", seenAt: space.now });
    expect(out).toContain(`for at most ${limit} rounds. End it with /cancel. It goes on after round 50.`);
    expect(out).toContain("write ULTRAWORK_COMPLETE alone on a line");
    expect(space.read("ultrawork-state.json")).toMatchObject({ active: true, max_iterations: limit });
  });

  it("keeps the limit of one that still has rounds", async () => {
    space.have("ultrawork", "agent-one", { round: 7, status: "detached", why: "its session ended" });
    await space.run("resume ultrawork", AGENT);
    expect(only()).toMatchObject({ status: "active", round: 7, limit: DEFAULT_ROUNDS.ultrawork });
  });

  it.each([
    ["waiting", { status: "waiting", why: "Which one?" }],
    ["stale", { seenAt: 0 }],
  ] as const)("goes on with one that is %s", async (_name, changed) => {
    space.have("ultrawork", "agent-one", changed);
    await space.run("resume ultrawork", AGENT);
    expect(only()).toMatchObject({ status: "active", why: "", seenAt: space.now });
  });

  it("takes over what another session has left, with what that has started", async () => {
    space.have("ralph", "agent-old", { status: "detached", why: "its session ended", round: 3, pid: 77 });
    space.have("ultrawork", "agent-old", { status: "detached", parent: "ralph" });
    const env = { CLAUDE_PID: "88" };
    const { out } = await space.run("resume ralph", { ...AGENT, env });
    expect(out).toContain("It goes on after round 3. It comes from session agent-ol.");
    expect(space.runs()).toMatchObject([
      { mode: "ralph", session: "agent-one", status: "active", round: 3, pid: 88, parent: "" },
      { mode: "ultrawork", session: "agent-one", status: "active", parent: "ralph" },
    ]);
    expect(space.read("sessions/agent-old/ralph-state.json")).toBeUndefined();
    expect(space.read("ralph-state.json")).toMatchObject({ session_id: "agent-one" });
  });

  it("leaves what another session works on", async () => {
    space.have("ultrawork", "agent-two");
    await expect(space.run("resume ultrawork", AGENT)).rejects.toMatchObject({ code: "HW_MODE_NONE" });
    expect(only()).toMatchObject({ session: "agent-two" });
  });

  it("goes on with a mode that was cancelled only when it is named", async () => {
    await space.run("start ralph fix the login", AGENT);
    await space.run("cancel", AGENT);
    await expect(space.run("resume", AGENT)).rejects.toMatchObject({
      code: "HW_MODE_NONE",
      message: expect.stringContaining("One that was cancelled goes on when you name it: ralph."),
    });
    const { resumed, from } = await space.ask("resume ralph", AGENT);
    expect(from).toBe("history");
    expect(resumed).toMatchObject([
      { mode: "ralph", state: "active", request: "fix the login" },
      { mode: "ultrawork", startedBy: "ralph" },
    ]);
    expect((await space.ask("history")).modes).toEqual([]);
  });

  it("does not go on with one that has come to its end", async () => {
    space.have("ultrawork", "agent-one");
    const run = only();
    if (!run) throw new Error("no run");
    space.store((store) => {
      store.remove(run);
      store.addToHistory({ ...run, outcome: "done", endedAt: space.now });
    });
    await expect(space.run("resume ultrawork", AGENT)).rejects.toMatchObject({ code: "HW_MODE_NONE" });
  });

  it("is for the session of the run, if that is open, when a person asks from another terminal", async () => {
    space.open("agent-two");
    space.open("agent-one");
    space.have("ultrawork", "agent-two", USED_UP);
    const { out } = await space.run("resume");
    expect(only()).toMatchObject({ session: "agent-two", status: "active" });
    expect(out).toContain("The agent of session agent-tw reads of it when its turn ends.");
  });

  it("lifts a cancellation only for a person", async () => {
    space.open("agent-one");
    await space.run("start ultrawork x", AGENT);
    await space.run("cancel");
    await space.run("resume ultrawork", AGENT);
    expect(space.isCancelled("agent-one")).toBe(true);
    await space.run("cancel");
    await space.run("resume ultrawork");
    expect(space.isCancelled("agent-one")).toBe(false);
  });

  it("ends what rests and may not run beside it", async () => {
    space.have("ecomode", "agent-one", { status: "paused", why: "x", seenAt: space.now - 1_000_000 });
    space.have("ultrawork", "agent-one", USED_UP);
    await space.run("resume ultrawork", AGENT);
    expect(space.runs()).toMatchObject([{ mode: "ultrawork", status: "active" }]);
    expect((await space.ask("history")).modes).toMatchObject([{ mode: "ecomode", outcome: "replaced" }]);
  });

  it.each<[string, string, ModeCall, string, string]>([
    ["it runs already", "resume ultrawork", AGENT, "HW_MODE_BLOCKED", "because ultrawork is on"],
    [
      "another mode is in the way",
      "resume ecomode",
      AGENT,
      "HW_MODE_BLOCKED",
      "ecomode was not started, because ultraw",
    ],
    ["nothing rests", "resume swarm", AGENT, "HW_MODE_NONE", "No run of swarm is paused"],
    ["there is no such mode", "resume ultrawrok", AGENT, "HW_MODE_UNKNOWN", "Did you mean `ultrawork`?"],
    ["there are too many words", "resume ralph 3", AGENT, "HW_USAGE", "takes one mode, and got `3` too"],
    ["no number", "resume", { ...AGENT, options: { rounds: "0" } }, "HW_USAGE", "from 1 to 1000, and `0` is none"],
  ])("is refused where %s", async (_name, words, call, code, message) => {
    space.have("ultrawork", "agent-one");
    space.have("ecomode", "agent-two", { status: "detached", why: "its session ended" });
    const before = space.runs();
    await expect(space.run(words, call)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
    expect(space.runs()).toEqual(before);
  });
});

describe("a run that nobody has seen for 2 hours", () => {
  it.each([
    [0, "active"],
    [1, "stale"],
  ])("and %i ms is %s", async (more, state) => {
    space.have("ultrawork", "agent-one", { seenAt: space.now - STALE_MS - more });
    expect((await space.ask("status")).modes).toMatchObject([{ state }]);
  });

  it("blocks nothing", async () => {
    space.have("autopilot", "agent-one", { seenAt: 0 });
    expect((await space.run("start swarm x", AGENT)).out).toContain("Ended for it: autopilot");
  });
});

describe("history", () => {
  it("shows what has ended, how, and after how long, the newest first", async () => {
    await space.run("start ralph fix the login", AGENT);
    space.now += 3 * 60 * 60_000 + 5 * 60_000;
    await space.run("cancel ralph", AGENT);
    await space.run("start swarm port", { caller: "bbbbbbbb-2" });
    space.now += 42_000;
    await space.run("cancel swarm", { caller: "bbbbbbbb-2" });
    const rows = (await space.run("history")).out.split("\n").map((line) => line.trimEnd().split(/ {2,}/));
    expect(rows.map((row) => row.filter((cell) => !/^\d{4}-/.test(cell)).slice(0, 5))).toEqual([
      ["mode", "outcome", "rounds", "duration", "session"],
      ["swarm", "cancelled", "0", "42 s", "bbbbbbbb"],
      ["ralph", "cancelled", "0", "3 h 5 min", "agent-on"],
      ["", "ultrawork for ralph", "cancelled", "0", "3 h 5 min"],
    ]);
    expect(rows[1]?.at(-1)).toBe("port");
  });

  it("has as JSON what status has, and the outcome", async () => {
    await space.run("start swarm port", AGENT);
    space.now += 60_000;
    await space.run("cancel", AGENT);
    expect((await space.ask("history")).modes).toEqual([
      {
        mode: "swarm",
        session: "agent-one",
        state: "ended",
        outcome: "cancelled",
        round: 0,
        limit: 15,
        phase: "",
        request: "port",
        since: new Date(space.now - 60_000).toISOString(),
        ended: new Date(space.now).toISOString(),
        seconds: 60,
      },
    ]);
  });

  it("of one session, and of none", async () => {
    await space.run("start swarm port", AGENT);
    await space.run("cancel", AGENT);
    expect((await space.ask("history", { options: { session: "agent" } })).modes).toHaveLength(1);
    await expect(space.run("history", { options: { session: "x" } })).rejects.toMatchObject({ code: "HW_MODE_NONE" });
  });

  it("keeps the newest 50", async () => {
    space.have("ultrawork", "agent-one");
    const [run] = space.runs();
    space.store((store) => {
      if (run) for (let at = 1; at <= 60; at++) store.addToHistory({ ...run, outcome: "done", endedAt: at, round: at });
    });
    const { modes } = await space.ask("history");
    expect(modes.map(({ round }: { round: number }) => round)).toEqual(Array.from({ length: 50 }, (_, at) => 60 - at));
  });
});
