/** How modes stop in the real client: cancelled, after a failed turn, killed; and who else is not held by them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clientUnderTest } from "./client.ts";
import {
  bash,
  continuations,
  history,
  newProject,
  OMC_PLUGIN,
  runWithModes,
  stateFiles,
  stateOf,
  TOO_FAR,
} from "./mode-session.ts";
import { newText, wholeText } from "./model-requests.ts";
import type { ModelScript } from "./model-script.ts";
import { killIfAlive, processesStartedWith } from "./processes.ts";
import { hookwright, noticesToThePerson } from "./product.ts";
import type { Scratch } from "./scratch.ts";
import { Terminal } from "./terminal.ts";

let scratch: Scratch;
let terminal: Terminal | undefined;
beforeEach(async () => {
  terminal = undefined;
  scratch = await newProject();
});
afterEach(async () => {
  await terminal?.stop();
  await scratch.dispose();
});

describe("a cancellation", () => {
  it("from another terminal ends the run at its next stop, and another session is not held before", async () => {
    let other: Awaited<ReturnType<typeof runWithModes>> | undefined;
    let cancelled = "";
    const { requests } = await runWithModes(scratch, {
      prompt: "ralph: fix the login",
      script: {
        main: [
          "Half.",
          {
            say: bash("true"),
            before: async () => {
              other = await runWithModes(scratch, { prompt: "what is 2 + 2?", script: { main: ["4."] } });
            },
          },
          "More.",
          {
            say: "Almost.",
            before: async () => {
              cancelled = await hookwright(scratch, ["mode", "cancel"]);
            },
          },
        ],
      },
    });
    expect(other?.requests).toHaveLength(1);
    expect(wholeText(other?.requests[0] ?? expect.fail("no other session"))).not.toContain("ralph, round");
    expect(cancelled).toContain("ralph (round 2 of 100");
    expect(continuations(requests)).toHaveLength(2);
    expect(requests).toHaveLength(4);
    expect(await history(scratch)).toEqual(["ralph: cancelled (2)", "ultrawork: cancelled (0)"]);
    expect(stateFiles(scratch)).toEqual([]);
  });

  it("that is typed ends all modes before the model is asked, and a resumed session goes on until then", async () => {
    const script = (...main: ModelScript["main"]): ModelScript => ({ main });
    const ask = { prompt: "ralph: fix the login", script: script("Half.", "NEEDS_INPUT: which database?") };
    const first = await runWithModes(scratch, ask);
    expect(first.requests).toHaveLength(2);
    const session = first.result.session_id;
    expect(stateOf(scratch, "ralph")).toMatchObject({ why: expect.stringContaining("session ended") });
    const resumed = { prompt: "Postgres.", script: script("More.", "NEEDS_INPUT: which port?") };
    const second = await runWithModes(scratch, resumed, "--resume", session);
    expect(continuations(second.requests)).toEqual([expect.stringContaining("ralph, round 2 of 100.")]);
    const typed = { prompt: "/cancel", script: script(bash("true"), "Cancelled.") };
    const third = await runWithModes(scratch, typed, "--resume", session);
    expect(third.requests).toHaveLength(2);
    expect(newText(third.requests[0] ?? expect.fail("no request"))).toContain("The person cancelled ralph, ultrawork.");
    expect(third.result.result).toBe("Cancelled.");
    expect(stateFiles(scratch)).toEqual([]);
  });
});

describe("in a terminal", () => {
  it.each(["/cancel", "cancelomc"])("%s ends the modes although the turn still goes on", async (typed) => {
    const work = { say: bash("sleep 1"), delayMs: 200 };
    terminal = await Terminal.start(scratch, {
      script: { main: Array.from({ length: 20 }, () => [work, "Part."]).flat(), whenExhausted: TOO_FAR },
      args: ["--plugin-dir", OMC_PLUGIN],
    });
    const { model } = terminal;
    await terminal.type("/ralph fix the login");
    await terminal.until(() => continuations(model.conversation()).length === 1, "the first stop was not held");
    await terminal.type(typed);
    await terminal.until(() => stateFiles(scratch).length === 0, "the modes are still there");
    const held = continuations(model.conversation()).length;
    await terminal.until(
      async () => !/esc to interrupt/.test((await terminal?.screen()) ?? ""),
      "the turn did not end",
    );
    expect(continuations(model.conversation())).toHaveLength(held);
    expect(await history(scratch)).toEqual([`ralph: cancelled (${held})`, "ultrawork: cancelled (0)"]);
  });
});

describe("a turn that failed", () => {
  it("at a rate limit is not fought, and the mode goes on with the next prompt", async () => {
    const limited = { say: "", error: { status: 429, type: "rate_limit_error", message: "Slow down." } };
    const first = await runWithModes(scratch, {
      prompt: "ultrawork: port the scripts",
      script: { main: ["Half.", bash("true")], whenExhausted: limited },
      env: { CLAUDE_CODE_MAX_RETRIES: "1" },
    });
    expect(first.result.is_error).toBe(true);
    // The client tries again by itself, and nothing of ours asks for anything in between.
    const [, , ...failed] = first.requests;
    expect(continuations(failed)).toEqual([]);
    expect(failed.length).toBeLessThanOrEqual(3);
    const again = { prompt: "go on", script: { main: ["More.", "ULTRAWORK_COMPLETE"] } };
    const second = await runWithModes(scratch, again, "--resume", first.result.session_id);
    expect(second.requests).toHaveLength(2);
    expect(continuations(second.requests).at(-1)).toContain("ultrawork, round 2 of 50.");
    expect(await history(scratch)).toEqual(["ultrawork: done (2)"]);
  });
});

/** The client that runs in the scratch's home. */
function clientPid(): number {
  const { binary } = clientUnderTest();
  const pids = processesStartedWith([`HOME=${scratch.home}`], scratch.hookwrightHome);
  const isClient = (pid: number): boolean =>
    readFileSync(join("/proc", `${pid}`, "cmdline"), "utf8").startsWith(binary);
  return pids.find(isClient) ?? expect.fail("no client runs");
}

describe("kill -9 of the client", () => {
  it("holds nobody else, and the next session is offered to go on", async () => {
    const killed = runWithModes(scratch, {
      prompt: "ralph: fix the login",
      script: { main: ["Half.", bash("true"), { say: "More.", before: () => killIfAlive(clientPid()) }] },
    });
    await expect(killed).rejects.toThrow("printed no result");
    expect(stateOf(scratch, "ralph")).toMatchObject({ active: true, iteration: 1 });

    const asks = { prompt: "what is 2 + 2?", script: { main: ["4."] } };
    const other = await runWithModes(scratch, asks);
    expect(other.requests).toHaveLength(1);
    expect(wholeText(other.requests[0] ?? expect.fail("no request"))).not.toContain("ralph");
    const offer = noticesToThePerson(other, "SessionStart").join("\n");
    expect(offer).toContain("ralph was interrupted in an earlier session (round 1 of 100: fix the login)");
    expect(offer).toContain('Type "ralph resume"');

    const cancel = async (): Promise<void> => void (await hookwright(scratch, ["mode", "cancel"]));
    const again = await runWithModes(scratch, {
      prompt: "ralph resume",
      script: { main: ["More.", { say: "Enough.", before: cancel }] },
    });
    expect(newText(again.requests[0] ?? expect.fail("no request"))).toContain(
      "ralph is on for this request: fix the login",
    );
    expect(continuations(again.requests)).toEqual([expect.stringContaining("ralph, round 2 of 100.")]);
    expect(stateFiles(scratch)).toEqual([]);
  });
});
