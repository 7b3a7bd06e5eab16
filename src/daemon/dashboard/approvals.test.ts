/** Permission requests on the page Now, and the answers to them. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { thisProcess } from "../../engine/jobs/job-holder.ts";
import {
  closeRequest,
  type NewRequest,
  openRequest,
  type RequestState,
  standingOf,
} from "../../state/waiting/permission-requests.ts";
import type { ChangeRequest } from "./actions.ts";
import type { ApprovalRequest, NowPage } from "./api.ts";
import { DashboardWorld } from "./dashboard.samples.ts";

let world: DashboardWorld;
const written: unknown[] = [];
const timers: NodeJS.Timeout[] = [];
const change = async (rule: unknown, { isPreview }: Pick<ChangeRequest, "isPreview">) => {
  written.push([rule, isPreview]);
  return { isPreview, file: "config.yml", diff: "+", wouldHave: null };
};
beforeEach(async () => {
  written.length = 0;
  world = new DashboardWorld();
  await world.start({
    alwaysApprove: change,
    allowLosses: (command, cwd, _reason, how) => change({ losses: command, cwd }, how),
  });
  await world.enter();
});
afterEach(() => {
  for (const timer of timers.splice(0)) clearInterval(timer);
  return world.dispose();
});

const LATER_MS = 60_000;

function add(more: Partial<NewRequest> = {}): string {
  const now = Date.now();
  const who = {
    agent: "claude-code",
    session: "s1",
    agentId: "",
    project: "/p",
    cwd: "/p/sub",
    owner: thisProcess().name,
  };
  const what = { tool: "Bash", input: JSON.stringify({ command: "make release" }), call: "c", asks: "" };
  const request = { ...who, ...what, askedAt: now, until: now + LATER_MS, ...more };
  return String(world.db.transaction(() => openRequest(world.db, request))?.value);
}

const shown = async (): Promise<readonly ApprovalRequest[]> => (await world.json<NowPage>("/api/now")).approvals;
const stateOf = (id: string) => standingOf(world.db, Number(id));

/** What the daemon does once a request is answered. */
function daemonSays(id: string, end: Exclude<RequestState, "open" | "answered">): void {
  const timer = setInterval(() => {
    if (stateOf(id)?.state !== "answered") return;
    world.db.transaction(() => closeRequest(world.db, Number(id), end));
    clearInterval(timer);
  }, 20);
  timers.push(timer);
}

describe("the page Now", () => {
  it("shows what waits, the oldest first, with everything that is needed to decide", async () => {
    const first = add({ agentId: "a1", asks: "It cannot be undone. [safety/x]", askedAt: Date.now() - 5_000 });
    const second = add({ tool: "Write", input: JSON.stringify({ file_path: "/p/src/a.ts", content: "[masked]" }) });
    expect(await shown()).toMatchObject([
      {
        id: first,
        agentId: "a1",
        project: "/p",
        tool: "Bash",
        subject: "make release",
        asks: "It cannot be undone. [safety/x]",
        hasRule: true,
      },
      { id: second, tool: "Write", subject: "src/a.ts", hasRule: false },
    ]);
  });

  it("leaves out what is over, and what nobody would carry out", async () => {
    add({ until: Date.now() - 1 });
    add({ owner: thisProcess().name.replace(/^\d+/, "999999999") });
    const id = add();
    world.db.transaction(() => closeRequest(world.db, Number(id), "elsewhere"));
    expect(await shown()).toEqual([]);
  });
});

describe("an answer", () => {
  it.each([
    [{ answer: "yes" }, "approved", { says: "yes", reason: "" }],
    [{ answer: "yes", reason: "not for a yes" }, "approved", { says: "yes", reason: "" }],
    [{ answer: "no", reason: " use make " }, "denied", { says: "no", reason: "use make" }],
    [{ answer: "no" }, "denied", { says: "no", reason: "" }],
    [{ answer: "yes" }, "refused", { says: "yes" }],
  ] as const)("%j is kept with who gave it, and says what became of it: %s", async (body, end, kept) => {
    const id = add();
    daemonSays(id, end);
    const { status, text } = await world.post(`/api/approvals/${id}`, body);
    expect([status, JSON.parse(text)]).toEqual([
      200,
      { outcome: end, notDone: end === "refused" ? expect.stringContaining("your yes was not carried out") : "" },
    ]);
    expect(stateOf(id)?.answer).toMatchObject({ ...kept, by: "browser", at: expect.any(Number) });
    expect(await shown()).toEqual([]);
  });

  it("counts once: of many at the same time one wins", async () => {
    const id = add();
    daemonSays(id, "approved");
    const bodies = Array.from({ length: 10 }, (_, i) =>
      i % 2 === 0 ? { answer: "yes" } : { answer: "no", reason: `${i}` },
    );
    const answers = await Promise.all(bodies.map((body) => world.post(`/api/approvals/${id}`, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect(answers.find(({ status }) => status === 409)?.text).toContain("This request is over");
  });

  it("comes too late for what is over, whatever it is", async () => {
    const expired = add({ until: Date.now() - 1 });
    const gone = add({ owner: thisProcess().name.replace(/^\d+/, "999999999") });
    for (const id of [expired, gone, "0", "999", "x", "1'--", "1%2F..", "9".repeat(30)]) {
      expect([id, (await world.post(`/api/approvals/${id}`, { answer: "yes" })).status]).toEqual([id, 409]);
    }
    expect([stateOf(expired)?.state, stateOf(gone)?.state]).toEqual(["open", "open"]);
  });

  it.each([
    {},
    { answer: "maybe" },
    { answer: true },
    { answer: "no", reason: 5 },
    { answer: "no", reason: "x".repeat(2_001) },
  ])("is not %j", async (body) => {
    const id = add();
    expect((await world.post(`/api/approvals/${id}`, body)).status).toBe(400);
    expect(stateOf(id)?.state).toBe("open");
  });

  it("keeps no secret that stands in a reason", async () => {
    const id = add();
    daemonSays(id, "denied");
    await world.post(`/api/approvals/${id}`, { answer: "no", reason: "use AKIAIOSFODNN7EXAMPLA instead" });
    expect(stateOf(id)?.answer?.reason).not.toContain("AKIAIOSFODNN7EXAMPLA");
  });
});

describe("a yes with a rule", () => {
  const RULE = { tool: "Bash", command: "make release", project: "/p" };

  it("is shown first, and changes nothing by that", async () => {
    const id = add();
    const { status, text } = await world.post(`/api/approvals/${id}/rule`, {});
    expect([status, JSON.parse(text)]).toMatchObject([200, { isPreview: true, diff: "+" }]);
    expect([written, stateOf(id)?.state]).toEqual([[[RULE, true]], "open"]);
  });

  it("is written together with the answer", async () => {
    const id = add();
    daemonSays(id, "approved");
    const { status, text } = await world.post(`/api/approvals/${id}/rule`, { isPreview: false });
    expect([status, JSON.parse(text)]).toMatchObject([200, { isPreview: false }]);
    expect(written.at(-1)).toEqual([RULE, false]);
    await expect.poll(() => stateOf(id)?.state).toBe("approved");
  });

  it("allows the losses where a guard has asked", async () => {
    const id = add({ asks: "It cannot be undone. [safety/destructive-command]" });
    await world.post(`/api/approvals/${id}/rule`, {});
    expect(written).toEqual([[{ losses: "make release", cwd: "/p/sub" }, true]]);
  });

  it("is neither written for a request that is over nor for a command with a secret", async () => {
    const over = add({ until: Date.now() - 1 });
    const secret = add({ input: JSON.stringify({ command: "login [masked]" }) });
    for (const id of [over, secret]) {
      expect((await world.post(`/api/approvals/${id}/rule`, { isPreview: false })).status).toBe(409);
    }
    expect(written).toEqual([]);
    expect(stateOf(secret)?.state).toBe("open");
  });
});

describe("nobody else answers", () => {
  const json = { "content-type": "application/json" };
  it.each([
    ["without the cookie", { cookie: "" }, 401],
    ["from another origin", { origin: "https://evil.example" }, 403],
    ["from the page of another site", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" }, 403],
    ["under another name of this machine", { host: "rebound.example" }, 403],
    ["as a form", { "content-type": "application/x-www-form-urlencoded" }, 415],
  ])("%s", async (_name, headers, status) => {
    const id = add();
    for (const path of ["", "/rule"]) {
      const answer = await world.post(
        `/api/approvals/${id}${path}`,
        { answer: "yes", isPreview: false },
        { ...json, ...headers },
      );
      expect([path, answer.status]).toEqual([path, status]);
    }
    expect([stateOf(id)?.state, written]).toEqual(["open", []]);
  });
});
