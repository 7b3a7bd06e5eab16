/** Several policies that hold the stops of one session, through the real pipeline, merge and transaction. */
import { afterEach, describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { PLAN_STARTED, project } from "../../domain/plan/plan.samples.ts";
import { plan as planStore } from "../../domain/plan/store.ts";
import activeSession from "../../policies/ntm/active-session.ts";
import stopGuard from "../../policies/plan/stop-guard.ts";
import destructive from "../../policies/safety/destructive-command.ts";
import { openTable, projectScope } from "../../state/stores.ts";
import { PROJECT, prompt, SESSION, shell, stop } from "../../testing/events.ts";
import { createSandbox, type Sandbox, type Sent } from "../../testing/sandbox.ts";

const FLEET = "The ntm session `fleet` is still running.";
const RUNTIME = "/run/user/1000/ntm-orch-1000";
const files = {
  ...project({ hooks: "stop_guard: true" }).files,
  [RUNTIME]: { dir: 0o700 },
  [`${RUNTIME}/active-session.json`]: '{"session":"fleet"}',
};
const env = { XDG_RUNTIME_DIR: "/run/user/1000" };

let sandbox: Sandbox;
afterEach(() => sandbox.close());
/** `tmux`: the sessions that are alive. */
function inWorld(tmux: readonly string[]): void {
  sandbox = createSandbox([activeSession, stopGuard, destructive], { files, env, tmux });
}
async function send(...events: readonly AnyEvent[]): Promise<Sent> {
  let last: Sent | undefined;
  for (const event of events) last = await sandbox.send(event);
  return last ?? expect.fail("no event");
}
const again = (more: JsonObject = {}): AnyEvent => stop({ stop_hook_active: true, ...more });
const notices = ({ ruling }: Sent): string => ruling.notices.map(({ text }) => text).join("\n");

describe("a turn", () => {
  it.each([
    ["whose calls are all denied", "rm -rf /", 3],
    ["whose calls run", "ls", 10],
  ])("%s goes on so often: %s, %i", async (_name, command, most) => {
    inWorld(["fleet"]);
    await send(prompt("go"));
    let continuations = 0;
    while (continuations < 10) {
      const { ruling } = await send(shell(command), continuations === 0 ? stop() : again());
      if (ruling.outcome !== "hold") break;
      continuations++;
    }
    expect(continuations).toBe(most);
  });

  it("is never told the same twice", async () => {
    inWorld(["fleet"]);
    await send(prompt("go"), shell("ls"));
    const texts: string[] = [];
    for (let index = 0; index < 4; index++) {
      texts.push((await send(shell("ls"), index === 0 ? stop() : again())).ruling.reason);
    }
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts[0]).toContain("hookwright ntm clear fleet");
    expect(texts[1]).toBe(`Still: ${FLEET} Held 2 of at most 50 times. [ntm/active-session]`);
    // A new prompt is a new start.
    expect((await send(prompt("and now?"), shell("ls"), stop())).ruling.reason).toBe(texts[0]);
  });
});

describe("a plan beside a fleet", () => {
  const promise = "Stopping again ends the turn.";

  it("promises nothing while the fleet holds the next stop too, and says that the turn ends once it does", async () => {
    inWorld(["fleet"]);
    const first = await send(prompt("go"), shell("ls"), stop());
    expect(first.ruling.reason).toContain("2 tasks still incomplete");
    expect(first.ruling.reason).not.toContain(promise);
    for (const held of [await send(again()), await send(again())]) {
      expect(held.ruling.outcome).toBe("hold");
      expect(notices(held)).toBe("");
    }
    const passed = await send(again());
    expect(passed.ruling.outcome).toBe("pass");
    expect(notices(passed)).toContain("Stopping with 2 tasks still incomplete");
  });

  it("promises it when the fleet is gone, and keeps the promise", async () => {
    inWorld([]);
    expect((await send(prompt("go"), shell("ls"), stop())).ruling.reason).toContain(promise);
    const passed = await send(again());
    expect(passed.ruling.outcome).toBe("pass");
    expect(notices(passed)).toContain("Stopping with 2 tasks");
  });
});

describe("a question that is answered without a call", () => {
  it.each([
    ["ends the turn", "", "pass"],
    ["ends the turn although another session leads the plan", "another", "pass"],
    ["is held in the session that started the plan", SESSION, "hold"],
  ])("%s", async (_name, lead, outcome) => {
    inWorld([]);
    const scope = projectScope({ agent: "", session: "", agentId: "", project: PROJECT });
    const table = openTable(sandbox.db, scope, planStore.name, () => undefined);
    planStore.open(table).markLead(PLAN_STARTED, lead);
    expect((await send(prompt("what is the capital of France?"), stop())).ruling.outcome).toBe(outcome);
  });

  it("is a question too when its calls were denied", async () => {
    inWorld([]);
    expect((await send(prompt("go"), shell("rm -rf /"), stop())).ruling.outcome).toBe("pass");
  });
});

describe("a stop", () => {
  const task = (type: string, more: JsonObject = {}): JsonObject => ({ id: "t", type, status: "running", ...more });
  const cron = { id: "c1", schedule: "0 9 * * *", recurring: true, prompt: "check" };

  it.each<[name: string, more: JsonObject, held: boolean]>([
    ["with nothing else under way", {}, true],
    ["in plan mode", { permission_mode: "plan" }, false],
    ["in another mode", { permission_mode: "acceptEdits" }, true],
    ["with a running subagent", { background_tasks: [task("subagent")] }, false],
    ["with a running teammate", { background_tasks: [task("teammate")] }, false],
    ["with a task of a kind that we do not know", { background_tasks: [task("other")] }, false],
    ["with a subagent that is done", { background_tasks: [task("subagent", { status: "completed" })] }, true],
    ["with a pending wake-up", { session_crons: [cron] }, false],
    ["with a shell in the background", { background_tasks: [task("shell")] }, true],
    ["with a shell and a subagent", { background_tasks: [task("shell"), task("subagent")] }, false],
  ])("%s: held %#", async (_name, more, isHeld) => {
    inWorld(["fleet"]);
    const { ruling } = await send(prompt("go"), shell("ls"), stop(more));
    expect(ruling.outcome).toBe(isHeld ? "hold" : "pass");
  });

  it("with a shell in the background passes at the second time in a row without a call", async () => {
    inWorld(["fleet"]);
    const more = { background_tasks: [task("shell")] };
    expect((await send(prompt("go"), shell("ls"), stop(more))).ruling.outcome).toBe("hold");
    expect((await send(shell("ls"), again(more))).ruling.outcome).toBe("hold");
    expect((await send(shell("rm -rf /"), again(more))).ruling.outcome).toBe("pass");
  });
});
