import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { saveRun } from "../../../domain/mode/files/exports.ts";
import { STALE_MS } from "../../../domain/mode/modes.ts";
import { type ModeCall, ModeWorkspace } from "./mode.samples.ts";

let space: ModeWorkspace;
beforeEach(() => {
  space = new ModeWorkspace();
});
afterEach(() => space.dispose());

const AGENT = { caller: "agent-one" };

describe("start", () => {
  it("by an agent begins in its session, says until when it goes on, and how the mode works", async () => {
    const { code, out } = await space.run("start ultrawork fix the login", AGENT);
    expect(code).toBe(0);
    expect(out).toContain("ultrawork is on: it goes on until");
    expect(out).toContain("for at most 50 rounds. End it with /cancel.");
    expect(out).toContain("write ULTRAWORK_COMPLETE alone on a line");
    expect(space.notices).toBe("");
    expect(space.runs()).toMatchObject([
      { mode: "ultrawork", session: "agent-one", status: "active", request: "fix the login", startedAt: space.now },
    ]);
    for (const name of ["ultrawork-state.json", "sessions/agent-one/ultrawork-state.json"]) {
      expect(space.read(name)).toMatchObject({
        active: true,
        session_id: "agent-one",
        original_prompt: "fix the login",
      });
      expect(fs.statSync(space.file(name)).mode & 0o777).toBe(0o600);
    }
  });

  it.each<[string, string[]]>([
    ["", []],
    [", beside notes of the person", [".omc/notepad.md"]],
    [", beside states of another program", [".omc/notepad.md", ".omc/state/theirs.json"]],
  ])("leaves no trace in git%s", async (_name, names) => {
    execFileSync("git", ["init", "-q", space.project]);
    const status = (): string =>
      execFileSync("git", ["-C", space.project, "status", "--porcelain", "-uall"]).toString();
    for (const name of names) {
      fs.mkdirSync(path.dirname(path.join(space.project, name)), { recursive: true });
      fs.writeFileSync(path.join(space.project, name), "");
    }
    const before = status();
    await space.run("start ultrawork x", AGENT);
    expect(status()).toBe(before);
    expect(space.read("ultrawork-state.json")).toBeDefined();
    await space.run("cancel", AGENT);
    expect(status()).toBe(before);
  });

  it("starts what helps it, linked", async () => {
    const { started, replaced } = await space.ask("start ralph fix it", AGENT);
    expect(started).toMatchObject([{ mode: "ralph" }, { mode: "ultrawork", startedBy: "ralph" }]);
    expect(replaced).toEqual([]);
  });

  it("by a person is for the only open session of the project, and says nothing to a model", async () => {
    space.open("gone", { event: "session.end" });
    space.open("left", { ago: STALE_MS + 1 });
    space.open("here");
    const { out } = await space.run("start ultrawork x");
    expect(out).not.toContain("alone on a line\n");
    expect(out).not.toContain("Run independent parts");
    expect(space.runs()).toMatchObject([{ session: "here", pid: 0, pane: "" }]);
  });

  it("remembers where the agent runs", async () => {
    const env = { CLAUDE_PID: "77", TMUX: "/tmp/tmux-1/default,1,0", TMUX_PANE: "%3" };
    await space.run("start ultrawork x", { ...AGENT, env });
    expect(space.runs()).toMatchObject([{ pid: 77, pane: "/tmp/tmux-1/default:%3" }]);
    space.open("here");
    await space.run("start ultrawork x", { env, options: { session: "here" } });
    expect(space.runs()).toContainEqual(expect.objectContaining({ session: "here", pid: 0, pane: "" }));
  });

  it("takes its options", async () => {
    await space.run("start swarm do it", { ...AGENT, options: { agents: "7" } });
    expect(space.runs()[0]?.details).toMatchObject({ agent_count: 7 });
    await space.run("start pipeline the login", { caller: "agent-two", options: { stages: "explore -> architect" } });
    expect(space.runs().find(({ mode }) => mode === "pipeline")?.details.stages).toHaveLength(2);
  });

  it("uses the limits of the configuration", async () => {
    space.configure("profiles: [omc]\nmodes: { limits: { ultrawork: 7 } }\n");
    await space.run("start ultrawork x", AGENT);
    expect(space.runs()).toMatchObject([{ limit: 7 }]);
  });

  it("says where nothing would hold the mode, but not when it was not started", async () => {
    space.configure("profiles: [safety, ntm]\n");
    expect((await space.run("start ultrawork x", AGENT)).code).toBe(0);
    expect(space.notices).toContain("has no profile `omc`, and the plugin omc is not enabled");
    expect(space.notices).toContain("`hookwright init --profile safety,ntm,omc`");
    await expect(space.run("start ecomode x", AGENT)).rejects.toThrow("because ultrawork is on");
    expect(space.notices).toBe("");
    const settings = { enabledPlugins: { "omc@hookwright": true } };
    fs.mkdirSync(path.join(space.project, ".claude"));
    fs.writeFileSync(path.join(space.project, ".claude/settings.json"), JSON.stringify(settings));
    await space.run("start ultrawork x", { caller: "agent-two" });
    expect(space.notices).toBe("");
  });

  it.each([
    [{ DISABLE_OMC: "1" }, "DISABLE_OMC=1 is set in this shell"],
    [{ OMC_SKIP_HOOKS: "persistent-mode" }, "OMC_SKIP_HOOKS=persistent-mode is set"],
    [{ OMC_SKIP_HOOKS: "ralph,ultrawork" }, "OMC_SKIP_HOOKS=ralph,ultrawork is set"],
  ])("names a switch that keeps the mode from being held: %j", async (env, text) => {
    await space.run("start ultrawork x", { ...AGENT, env });
    expect(space.notices).toContain(text);
    await space.run("start swarm x", { caller: "agent-two", env: { OMC_SKIP_HOOKS: "ralph" } });
    expect(space.notices).toBe("");
  });

  it("for another session says when its agent learns of it", async () => {
    space.open("here-and-there");
    expect((await space.run("start ultrawork x")).out).toContain("The agent of session here-and reads of it when its");
    expect((await space.run("start ralph x", { caller: "here-and-there" })).out).not.toContain("reads of it");
  });

  it("replaces what rests, and tells which that was", async () => {
    space.have("ultrawork", "agent-one", { status: "paused", round: 50, why: "its 50 rounds are used up" });
    const { out } = await space.run("start ultrawork again", AGENT);
    expect(out).toContain("Ended for it: ultrawork (round 50 of 50).");
    expect(space.store((store) => store.history())).toMatchObject([{ outcome: "replaced", round: 50 }]);
  });

  it("lifts a cancellation only for a person", async () => {
    space.open("agent-one");
    await space.run("start ultrawork x", AGENT);
    await space.run("cancel");
    await space.run("start ultrawork x", AGENT);
    expect(space.isCancelled("agent-one")).toBe(true);
    await space.run("cancel");
    await space.run("start ultrawork x");
    expect(space.isCancelled("agent-one")).toBe(false);
  });

  it.each<[string, string, ModeCall, string, string]>([
    ["an unknown mode", "start ralhp x", AGENT, "HW_MODE_UNKNOWN", "There is no mode `ralhp`. Did you mean `ralph`?"],
    ["no mode", "start", AGENT, "HW_USAGE", "`start` needs a mode: ralph, autopilot"],
    ["no action", "", AGENT, "HW_USAGE", "Give an action: start, status"],
    ["an unknown action", "strat ralph", AGENT, "HW_USAGE", "Did you mean `start`?"],
    ["an odd option", "start ralph x", { ...AGENT, options: { rounds: "3" } }, "HW_USAGE", "does not take --rounds"],
    ["another mode's option", "start ralph x", { ...AGENT, options: { goal: "x" } }, "HW_USAGE", "`--goal` belongs to"],
    ["no number", "start swarm x", { ...AGENT, options: { agents: "many" } }, "HW_USAGE", "from 1 to 1000, and `many`"],
    ["too many agents", "start swarm x", { ...AGENT, options: { agents: "900" } }, "HW_MODE_START", "swarm was not"],
    ["an endless request", `start ralph ${"x".repeat(10_001)}`, AGENT, "HW_USAGE", "at most 10000 are kept"],
    ["nobody to hold", "start ralph x", {}, "HW_MODE_START", "no agent is known to be at work in"],
    ["an unknown session", "start ralph x", { options: { session: "b" } }, "HW_MODE_NONE", "called `b`, or begins so"],
    ["a word too many", "status now", AGENT, "HW_USAGE", "takes no argument, and got `now`"],
  ])("is refused: %s", async (_name, words, call, code, text) => {
    await expect(space.run(words, call)).rejects.toMatchObject({ code, message: expect.stringContaining(text) });
    expect(space.runs()).toEqual([]);
    expect(fs.existsSync(path.join(space.project, ".omc"))).toBe(false);
  });

  it.each([
    ["itself", "ralph", "ralph"],
    ["one that directs the whole work", "autopilot", "swarm"],
    ["ralph, for ultraqa", "ralph", "ultraqa"],
    ["ecomode, for ultrawork", "ecomode", "ultrawork"],
  ] as const)("is blocked by %s, which is named with the way out", async (_name, running, wanted) => {
    space.have(running, "agent-one", { request: "the first" });
    await expect(space.run(`start ${wanted} x`, AGENT)).rejects.toMatchObject({
      code: "HW_MODE_BLOCKED",
      message: `${wanted} was not started, because ${running} is on: the first.`,
      fix: expect.stringContaining(`hookwright mode cancel ${running}`),
    });
    expect(space.runs()).toMatchObject([{ mode: running }]);
    expect((await space.run(`start ${wanted} x`, { caller: "agent-two" })).code).toBe(0);
  });

  it("asks which session is meant, and shows a person the modes of each", async () => {
    space.open("aaaaaaaa-1");
    space.open("aaaaaaaa-2");
    space.have("ralph", "aaaaaaaa-1");
    await expect(space.run("start ultrawork x", { columns: 90 })).rejects.toMatchObject({
      code: "HW_MODE_SESSION",
      message: expect.stringMatching(/aaaaaaaa-2, aaaaaaaa-1 \(ralph\)|aaaaaaaa-1 \(ralph\), aaaaaaaa-2/),
      fix: "Nothing was changed. Say which with --session ID.",
    });
    expect(space.notices).toMatch(/^mode +state +round/);
    await space.run("start ultrawork x", { options: { session: "aaaaaaaa-2" } });
    expect(space.runs()).toContainEqual(expect.objectContaining({ mode: "ultrawork", session: "aaaaaaaa-2" }));
  });

  it.each(["../../evil", "a/b", "..", ".hidden", "a".repeat(300), "x\ny"])(
    "a session called %j becomes no path",
    async (caller) => {
      await space.run("start ultrawork x", { caller });
      expect(space.runs()).toMatchObject([{ session: caller }]);
      expect(fs.readdirSync(space.file(""))).toEqual(["ultrawork-state.json"]);
      expect(fs.readdirSync(space.root).sort()).toEqual(["app", "hw"]);
      expect((await space.run("status")).out).not.toContain("\u001b");
      expect((await space.run("cancel", { caller })).code).toBe(0);
      expect(fs.readdirSync(space.file(""))).toEqual([]);
    },
  );
});

describe("status", () => {
  it("says so when no mode is on, and makes no database for it", async () => {
    expect(await space.run("status")).toEqual({ code: 0, out: `No mode is on in ${space.project}.` });
    expect(await space.ask("status")).toEqual({ modes: [] });
    expect((await space.run("history")).out).toContain("No mode has ended");
    expect(await space.ask("history")).toEqual({ modes: [] });
    expect(fs.readdirSync(space.home)).toEqual(["config.yml"]);
  });

  it("shows every mode of the project, what it has started below it, and what rests", async () => {
    space.have("ultrawork", "aaaaaaaa-old", {
      startedAt: space.now - 500_000,
      status: "paused",
      why: "its rounds are used up",
    });
    space.have("ultrawork", "bbbbbbbb-new", { parent: "ralph" });
    space.have("ralph", "bbbbbbbb-new", { round: 7, request: "fix\nthe login" });
    space.have("ultraqa", "cccccccc", { status: "waiting", why: "Which database?", startedAt: space.now - 400_000 });
    space.have("swarm", "dddddddd", {
      seenAt: space.now - STALE_MS - 1,
      startedAt: space.now - 600_000,
      details: { agent_count: 3 },
    });
    const { out } = await space.run("status");
    const lines = out.split("\n").map((line) => line.replace(/ {2,}/g, " | "));
    expect(lines[0]).toBe("mode | state | round | progress | session | since | request");
    expect(lines.slice(1, 6).map((line) => line.split(" | ").slice(0, 3).join(" "))).toEqual([
      "ralph active 7/100",
      " ultrawork for ralph active",
      "ultraqa waiting 0/5",
      "ultrawork paused 0/50",
      "swarm stale 0/15",
    ]);
    expect(lines[1]).toMatch(/bbbbbbbb \| \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \| fix the login$/);
    expect(lines.slice(6)).toEqual([
      "ultraqa waits for an answer in its session: Which database?",
      "ultrawork is paused: its rounds are used up. Go on with `hookwright mode resume ultrawork`.",
      expect.stringMatching(/^Nothing was seen of swarm since .*`hookwright mode resume swarm`\.$/),
    ]);
    expect((await space.run("status", { options: { session: "ccc" } })).out).not.toContain("ralph");
  });

  it("prints the same as JSON", async () => {
    space.have("ralph", "agent-one", { round: 7 });
    space.have("ultraqa", "agent-two", { status: "waiting", why: "Which?", startedAt: space.now - 120_000 });
    space.have("pipeline", "agent-three", {
      status: "detached",
      why: "ended",
      parent: "",
      startedAt: space.now - 180_000,
    });
    const { modes } = await space.ask("status");
    expect(modes).toMatchObject([
      { mode: "ralph", session: "agent-one", state: "active", round: 7, limit: 100, request: "fix the login" },
      { mode: "ultraqa", state: "waiting", question: "Which?" },
      { mode: "pipeline", state: "detached", why: "ended" },
    ]);
    expect(modes[0].since).toBe(new Date(space.now - 60_000).toISOString());
    expect(Object.keys(modes[0]).sort()).toEqual(
      ["mode", "session", "state", "round", "limit", "phase", "request", "progress", "since", "seen"].sort(),
    );
  });

  it("shows how far the work is", async () => {
    const userStories = [1, 2, 3, 4, 5].map((n) => ({ id: `US-${n}`, title: `part ${n}`, passes: n < 3 }));
    fs.writeFileSync(path.join(space.project, "prd.json"), JSON.stringify({ userStories }));
    await space.run("start ralph x", AGENT);
    const { modes } = await space.ask("status");
    expect(modes[0].progress).toBe("2 of 5 stories");
    expect((await space.run("status")).out).toContain("2 of 5 stories");
  });

  it("keeps each mode on one line of a terminal, and obeys no control character", async () => {
    space.have("ultrawork", "agent-one", { request: `\u001b[2J${"long ".repeat(100)}` });
    const { out } = await space.run("status", { columns: 100 });
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
    expect(out).not.toContain("\u001b");
  });

  it("tells apart sessions that begin alike", async () => {
    space.have("ralph", "session-one-a");
    space.have("ralph", "session-one-b");
    const { out } = await space.run("status");
    expect(out).toContain("session-one-a");
    expect(out).toContain("session-one-b");
  });
});

describe("what other programs do to the files", () => {
  beforeEach(async () => {
    await space.run("start ultrawork x", AGENT);
    await space.run("start ultrawork y", { caller: "agent-two" });
  });

  it("a removed file cancels the mode of its session, and no other", async () => {
    fs.rmSync(space.file("sessions/agent-one/ultrawork-state.json"));
    expect((await space.ask("status")).modes).toMatchObject([{ session: "agent-two" }]);
    expect((await space.ask("history")).modes).toMatchObject([{ session: "agent-one", outcome: "cancelled" }]);
  });

  it("`active: false` does so too", async () => {
    const file = space.file("sessions/agent-two/ultrawork-state.json");
    fs.writeFileSync(file, JSON.stringify({ ...space.read("sessions/agent-two/ultrawork-state.json"), active: false }));
    expect((await space.ask("status")).modes).toMatchObject([{ session: "agent-one" }]);
  });

  it("with a mode its other files are removed, and those of what it has started", async () => {
    await space.run("start ralph z", { caller: "agent-three" });
    fs.rmSync(space.file("ralph-state.json"));
    expect((await space.ask("status")).modes).toHaveLength(2);
    expect(fs.readdirSync(space.file("sessions/agent-three"))).toEqual([]);
    expect(fs.readdirSync(space.file("")).sort()).toEqual(["sessions", "ultrawork-state.json"]);
    expect(space.read("ultrawork-state.json")).toMatchObject({ active: true });
  });

  it("the project's file shows another session's mode when that of the newest was cancelled", async () => {
    expect(space.read("ultrawork-state.json")).toMatchObject({ session_id: "agent-two" });
    fs.rmSync(space.file("ultrawork-state.json"));
    await space.run("status");
    expect(space.read("ultrawork-state.json")).toMatchObject({ session_id: "agent-one", original_prompt: "x" });
    expect(space.runs()).toMatchObject([{ session: "agent-one" }]);
  });

  it("a file without a session holds nobody, and can be resumed", async () => {
    const file = space.file("sessions/agent-one/ultrawork-state.json");
    const { session_id: _session, ...rest } = space.read("sessions/agent-one/ultrawork-state.json") ?? {};
    fs.writeFileSync(file, JSON.stringify(rest));
    expect((await space.ask("status", { options: { session: "agent-one" } })).modes).toMatchObject([
      { state: "detached", why: "ultrawork-state.json names no session" },
    ]);
    await space.run("resume", AGENT);
    expect(space.read("sessions/agent-one/ultrawork-state.json")).toMatchObject({ session_id: "agent-one" });
  });

  it("the file of a mode that rests says that it is not active, and writing it anew cancels nothing", async () => {
    space.store((store) => {
      const run = store.get("agent-one", "ultrawork");
      if (run) store.save({ ...run, status: "paused", why: "its 50 rounds are used up" });
    });
    const file = space.file("sessions/agent-one/ultrawork-state.json");
    fs.writeFileSync(file, JSON.stringify({ ...space.read("sessions/agent-one/ultrawork-state.json"), active: false }));
    expect((await space.ask("status", { options: { session: "agent-one" } })).modes).toMatchObject([
      { state: "paused" },
    ]);
  });

  it.each(["{", "", "[]", '"active"', '{"active":tr'])(
    "a broken file (%j) is moved aside, named, and written again",
    async (text) => {
      fs.writeFileSync(space.file("sessions/agent-one/ultrawork-state.json"), text);
      expect((await space.ask("status")).modes).toHaveLength(2);
      expect(space.read("sessions/agent-one/ultrawork-state.json")).toMatchObject({ active: true });
      const [aside = "", ...more] = fs
        .readdirSync(space.file("sessions/agent-one"))
        .filter((name) => name.includes("corrupt"));
      expect(more).toEqual([]);
      expect(fs.readFileSync(space.file(`sessions/agent-one/${aside}`), "utf8")).toBe(text);
      expect(space.store((store) => store.untold("agent-one"))).toEqual([
        expect.stringContaining(`could not be read. It was moved to ${space.file(`sessions/agent-one/${aside}`)}`),
      ]);
    },
  );

  it("is seen before a start, so that a mode that was cancelled so blocks nothing", async () => {
    fs.rmSync(space.file("sessions/agent-one/ultrawork-state.json"));
    expect((await space.run("start ecomode x", AGENT)).code).toBe(0);
  });

  it("a link in the place of the folder is not followed", async () => {
    const away = path.join(space.root, "away");
    fs.mkdirSync(away);
    fs.rmSync(path.join(space.project, ".omc"), { recursive: true });
    fs.symlinkSync(away, path.join(space.project, ".omc"));
    await space.run("start ultrawork z", { caller: "agent-three" });
    expect(fs.readdirSync(away)).toEqual([]);
  });

  it("a file that cannot be written is named, and the mode is on all the same", async () => {
    fs.writeFileSync(space.file("sessions/agent-nine"), "in the way");
    const { code } = await space.run("start ultrawork z", { caller: "agent-nine" });
    expect([code, space.notices]).toEqual([0, expect.stringContaining("[HW_WRITE_FAILED]")]);
    expect(space.runs()).toContainEqual(expect.objectContaining({ session: "agent-nine" }));
  });
});

it("saveRun of the domain and the command write the same files", async () => {
  await space.run("start ultrawork x", AGENT);
  const before = space.read("ultrawork-state.json");
  const [run] = space.runs();
  const written: unknown[] = [];
  const files = {
    project: space.project,
    info: () => ({ kind: "directory" as const, uid: 0, mode: 0o700 }),
    mirror: (_parts: readonly string[], value: unknown) => written.push(value),
    mirrorText: () => undefined,
    append: () => undefined,
  };
  if (run) space.store((store) => saveRun(store, files, run));
  expect(written).toEqual([before, before]);
});
