/** The real daemon keeps a permission request open for a person, while everything around it goes on or goes wrong. */
import fs from "node:fs";
import { describe, expect } from "vitest";
import { isGone } from "../../src/engine/jobs/job-holder.ts";
import { Database } from "../../src/state/database.ts";
import {
  answerRequest,
  openRequests,
  type PermissionRequest,
  standingOf,
} from "../../src/state/waiting/permission-requests.ts";
import { type Event, forbiddenWrite, prompt, toolCall } from "../support/events.ts";
import type { Answer, Running } from "../support/processes.ts";
import { query } from "../support/records.ts";
import { ANY_CLIENT, eventually, PATIENT, test, USABLE_CLIENTS } from "../support/surroundings.ts";
import type { World } from "../support/world.ts";

const INSTALLED = [...PATIENT, "--reply", "json", "--wait-ms", "120000"];
const COMMAND = "make release";

function configure(world: World, config: string): void {
  fs.mkdirSync(world.home, { recursive: true, mode: 0o700 });
  fs.writeFileSync(`${world.home}/config.yml`, config);
}

function request(world: World, more: Event = {}): Event {
  const { tool_use_id: _none, ...event } = toolCall(
    world,
    "",
    "Bash",
    { command: COMMAND },
    "session-1",
    "PermissionRequest",
  );
  return { ...event, ...more };
}

const begin = (world: World, client = ANY_CLIENT, args = INSTALLED): Running =>
  world.begin(request(world), { client, daemon: true }, { args });

function inState<T>(world: World, work: (db: Database) => T): T {
  const db = new Database(world.database, 5_000);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const opened = (world: World): Promise<PermissionRequest> =>
  eventually("a request", () =>
    fs.existsSync(world.database) ? inState(world, (db) => openRequests(db, Date.now())[0]) : undefined,
  );
const ended = (world: World, id: number): Promise<unknown> =>
  eventually("the end of the request", () => {
    const state = inState(world, (db) => standingOf(db, id)?.state);
    return state !== "open" && state;
  });
const answer = (world: World, id: number, says: "yes" | "no", reason = ""): boolean | undefined =>
  inState(world, (db) => answerRequest(db, id, { says, reason, by: "browser", at: Date.now() }));
const decision = ({ stdout }: Answer): unknown =>
  stdout === "" ? undefined : JSON.parse(stdout).hookSpecificOutput?.decision;
const SILENT = { exit: 0, stdout: "", stderr: "" };

async function waiting(makeWorld: () => World, config = "approvals: browser\n"): Promise<World> {
  const world = makeWorld();
  configure(world, config);
  await world.startDaemon();
  return world;
}

describe.concurrent("a permission request", () => {
  test.for(USABLE_CLIENTS)("gets the first answer of a person, %s client", async (client, { makeWorld }) => {
    const world = await waiting(makeWorld);
    const running = begin(world, client);
    const { id, tool, input, asks } = await opened(world);
    expect([tool, JSON.parse(input), asks]).toEqual(["Bash", { command: COMMAND }, ""]);
    expect([answer(world, id, "no", "use make"), answer(world, id, "yes")]).toEqual([true, false]);
    const message = expect.stringContaining("The person refused this call: use make");
    expect(decision(await running.ended)).toEqual({ behavior: "deny", message });
    expect(inState(world, (db) => standingOf(db, id)?.state)).toBe("denied");
    const rows = query(world, "SELECT ruling, policy FROM journal WHERE event = 'permission.request' ORDER BY id");
    expect(rows).toEqual([
      { ruling: "pass", policy: "" },
      { ruling: "deny", policy: "permissions/browser" },
    ]);
    // The answer is a fact of the decision, so the same is decided again.
    const replayed = await world.hookwright("replay", "--json");
    const summary = JSON.parse(replayed.stdout.trim().split("\n").at(-1) ?? "{}");
    expect(summary).toMatchObject({ replayed: 2, undecidable: 0, newlyDenied: 0, newlyAsked: 0, newlyAllowed: 0 });
  });

  test("keeps no other event of its session waiting, and two can be open", async ({ makeWorld }) => {
    const world = await waiting(makeWorld);
    const main = begin(world);
    const { id } = await opened(world);
    const agent = { agent_id: "a1", agent_type: "worker" };
    const of = { client: ANY_CLIENT, daemon: true } as const;
    const denied = await world.send({ ...forbiddenWrite(world, "call-1"), ...agent }, of, { args: PATIENT });
    expect(denied.exit).toBe(2);
    const second = world.begin(request(world, agent), of, { args: INSTALLED });
    await eventually("two requests", () => inState(world, (db) => openRequests(db, Date.now()).length === 2));
    answer(world, id + 1, "no");
    expect(decision(await second.ended)).toMatchObject({ behavior: "deny" });
    answer(world, id, "yes");
    expect(decision(await main.ended)).toEqual({ behavior: "allow" });
  });

  test("passes when its call is reported, a prompt comes, or nobody answers in time", async ({ makeWorld }) => {
    const world = await waiting(makeWorld);
    const of = { client: ANY_CLIENT, daemon: true } as const;
    const report = {
      ...toolCall(world, "call-1", "Bash", { command: COMMAND }, "session-1", "PostToolUse"),
      tool_response: {},
    };
    for (const event of [report, prompt(world, "something else")]) {
      const running = begin(world);
      const { id } = await opened(world);
      await world.send(event, of, { args: PATIENT });
      expect(await running.ended).toMatchObject(SILENT);
      expect(inState(world, (db) => standingOf(db, id)?.state)).toBe("elsewhere");
    }
    const running = begin(world, ANY_CLIENT, [...PATIENT, "--wait-ms", "700"]);
    const { id } = await opened(world);
    expect(await running.ended).toMatchObject(SILENT);
    expect(inState(world, (db) => standingOf(db, id)?.state)).toBe("expired");
    expect(answer(world, id, "yes")).toBe(false);
  });

  test.for(USABLE_CLIENTS)("ends with its client, %s client", async (client, { makeWorld }) => {
    const world = await waiting(makeWorld);
    const running = begin(world, client);
    const { id } = await opened(world);
    running.kill("SIGTERM");
    expect(await ended(world, id)).toBe("gone");
  });

  test.for(USABLE_CLIENTS)(
    "passes when its daemon is killed, and nobody is offered it, %s client",
    async (client, { makeWorld }) => {
      const world = makeWorld();
      configure(world, "approvals: browser\n");
      const daemon = await world.startDaemon();
      const running = begin(world, client);
      const { owner } = await opened(world);
      expect(isGone(owner)).toBe(false);
      daemon.kill("SIGKILL");
      expect(await running.ended).toMatchObject(SILENT);
      expect(isGone(owner)).toBe(true);
      // The next one takes the name of the socket that was left behind.
      await world.startDaemon();
    },
  );

  test("is not approved when a rule of the person's stops the call by then", async ({ makeWorld }) => {
    const world = await waiting(makeWorld);
    const running = begin(world);
    const { id } = await opened(world);
    const rule = `{ id: no-release, tool: Bash, pattern: release, do: deny, text: Not from here. }`;
    configure(world, `approvals: browser\nrules: [${rule}]\n`);
    answer(world, id, "yes");
    const { stdout } = await running.ended;
    expect(JSON.parse(stdout)).toEqual({ systemMessage: expect.stringContaining("Your yes was not carried out") });
    expect(inState(world, (db) => standingOf(db, id)?.state)).toBe("refused");
  });

  test.for<[string, { config?: string; args?: readonly string[]; daemon?: boolean }]>([
    ["approvals are off", { config: "approvals: off\n" }],
    ["the policy only observes", { config: "policies: { permissions/browser: observe }\n" }],
    ["a rule stops the call", { config: "approvals: browser\nrules: [{ id: x, tool: Bash, do: deny, text: No. }]\n" }],
    ["the registration says nothing of waiting", { args: [...PATIENT, "--reply", "json"] }],
    ["there is no daemon", { daemon: false }],
  ])(
    "waits for nobody where %s",
    async ([, { config = "approvals: browser\n", args = INSTALLED, daemon = true }], { makeWorld }) => {
      const world = await waiting(makeWorld, config);
      const done = await world.send(request(world), { client: ANY_CLIENT, daemon }, { args });
      expect([done.exit, decision(done)]).toEqual([0, undefined]);
      expect(query(world, "SELECT count(*) AS n FROM permission_requests")).toEqual([{ n: 0 }]);
    },
  );
});
