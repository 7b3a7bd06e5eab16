/** Each mode in the real client, from the words that start it to its end. Ralph and autopilot have files of their own. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clientUnderTest } from "./client.ts";
import {
  agent,
  bash,
  continuations,
  history,
  newProject,
  OMC_PLUGIN,
  runWithModes,
  stateFiles,
  stateOf,
  write,
} from "./mode-session.ts";
import type { ModelRequest } from "./model-requests.ts";
import { newText, toolResult, wholeText } from "./model-requests.ts";
import type { ToolCall } from "./model-script.ts";
import type { Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(async () => {
  scratch = await newProject();
});
afterEach(() => scratch.dispose());

const timesIn = (text: string, part: string): number => text.split(part).length - 1;

describe("the plugin", () => {
  it("is valid as the client itself sees it, strictly", async () => {
    const { exitCode, stdout, stderr } = await scratch.run(clientUnderTest().binary, [
      "plugin",
      "validate",
      "--strict",
      OMC_PLUGIN,
    ]);
    expect(`${stdout}${stderr}`).toMatch(/passed/i);
    expect(exitCode).toBe(0);
  });
});

describe("a mode that goes on until its word", () => {
  it.each([
    { mode: "ultrawork", prompt: "ultrawork: port the scripts" },
    { mode: "ecomode", prompt: "/omc:ecomode port the scripts" },
  ])("begins once with `$prompt`, holds each stop, and ends", async ({ mode, prompt }) => {
    const signal = `${mode.toUpperCase()}_COMPLETE`;
    const quoted = `I will write \`${signal}\` at the end.\n\n\`\`\`\n${signal}\n\`\`\``;
    const main = ["Half.", bash("true"), quoted, { say: `All of it.\n\n${signal}`, before: () => seen() }];
    let during: unknown;
    const seen = (): void => {
      during = stateOf(scratch, mode);
    };
    const { requests, result } = await runWithModes(scratch, { prompt, script: { main } });
    expect(requests).toHaveLength(4);
    const [first] = requests;
    // The typed skill is reported by two events.
    expect(
      timesIn(wholeText(first ?? expect.fail("no request")), `${mode} is on for this request: port the scripts`),
    ).toBe(1);
    const texts = continuations(requests);
    expect(texts).toHaveLength(2);
    expect(texts[0]).toContain(`${mode}, round 1 of 50. Go on with what is open of: port the scripts.`);
    expect(texts[1]).toContain(`${mode}, round 2 of 50.`);
    expect(during).toMatchObject({ active: true, session_id: result.session_id, original_prompt: "port the scripts" });
    expect(stateFiles(scratch)).toEqual([]);
    expect(await history(scratch)).toEqual([`${mode}: done (2)`]);
    expect((await scratch.run("git", ["status", "--porcelain"])).stdout).toBe("");
  });
});

describe("pipeline", () => {
  it("gives each stage the result of the one before, and tries a failed one again", async () => {
    const { requests } = await runWithModes(scratch, {
      prompt: "/pipeline explore -> fixer: the crash at start-up",
      script: {
        main: [
          "A value is null.\n\nSTAGE_COMPLETE",
          bash("true"),
          "No test reproduces it.\n\nSTAGE_FAILED",
          bash("true"),
          "The value is set.\n\nSTAGE_COMPLETE",
        ],
      },
    });
    expect(requests).toHaveLength(5);
    expect(newText(requests[0] ?? expect.fail("no request"))).toContain(
      "pipeline is on for this request: the crash at start-up",
    );
    const [second, retry] = continuations(requests);
    expect(second).toContain("Stage 2 of 2, fixer, of: the crash at start-up.");
    expect(second).toContain("The stage before, explore, resulted in: A value is null.");
    expect(retry).toContain("Stage fixer has failed; this is try 2 of 4.");
    expect(await history(scratch)).toEqual(["pipeline: done (2)"]);
  });
});

describe("ultraqa", () => {
  it("ends when its command has certainly succeeded, and not by a call that hides the result", async () => {
    const { requests } = await runWithModes(scratch, {
      prompt: '/ultraqa --goal custom --command "sh check.sh"',
      script: {
        main: [
          "It should pass.",
          bash("sh check.sh || true"),
          "It passes.",
          bash("sh check.sh"),
          "One more try.",
          bash("echo true > check.sh"),
          bash("sh check.sh"),
          "Now it passes.",
        ],
      },
    });
    expect(requests).toHaveLength(8);
    const texts = continuations(requests);
    expect(texts).toHaveLength(3);
    for (const text of texts) expect(text).toContain("`sh check.sh` has not certainly succeeded yet.");
    expect(texts[1]).toContain("Cycle 1 of 5");
    expect(texts[2]).toContain("Cycle 2 of 5");
    expect(await history(scratch)).toEqual(["ultraqa: goal_met (3)"]);
  });
});

describe("swarm", () => {
  it("goes on until its agents have done each task of the board once", async () => {
    const worker = (name: string) => {
      const claim = (): ToolCall => bash(`hookwright swarm claim --agent ${name} --json`);
      const end = {
        say: (requests: readonly ModelRequest[]): ToolCall => {
          const own = requests.filter(({ purpose }) => purpose.kind === "turn" && purpose.queue === name);
          const { task } = JSON.parse(/\{.*\}/.exec(newText(own.at(-1) ?? expect.fail("no request")))?.[0] ?? "") as {
            task: { id: string; text: string } | null;
          };
          if (task === null) return claim();
          return bash(`echo ${name} >> ${task.text} && hookwright swarm complete ${task.id} --agent ${name}`);
        },
      };
      return [claim(), end, claim(), end, "Mine are done."];
    };
    const add = ["one", "two", "three", "four"].map((name) => `hookwright swarm add ${name}`);
    const { requests } = await runWithModes(scratch, {
      prompt: "swarm 2 agents: port the scripts",
      script: {
        main: [
          "I will.",
          bash(["hookwright swarm init --agents 2", ...add].join(" && "), "toolu_board"),
          "The board is filled.",
          [agent("omc:executor", "ada"), agent("omc:executor", "bob")],
          "All is done.",
        ],
        queues: { ada: worker("ada"), bob: worker("bob") },
      },
    });
    expect(toolResult(requests, "toolu_board").isError).toBe(false);
    expect(requests).toHaveLength(5);
    const [empty, open] = continuations(requests);
    expect(empty).toContain("There is no task board yet.");
    expect(open).toContain("4 tasks are pending and 0 claimed: task-1 one; task-2 two;");
    for (const name of ["one", "two", "three", "four"]) {
      expect(readFileSync(join(scratch.project, name), "utf8")).toMatch(/^(ada|bob)\n$/);
    }
    expect(await history(scratch)).toEqual(["swarm: done (2)"]);
  });
});

describe("ultrapilot", () => {
  const SPLIT = {
    subtasks: [
      { id: "1", description: "The API", files: ["src/api/**"], blockedBy: [] },
      { id: "2", description: "The pages", files: ["src/web/**"], blockedBy: [] },
    ],
    sharedFiles: ["src/routes.ts"],
  };
  const inProject = (name: string): string => join(scratch.project, name);

  it("keeps each worker to its own files, and ends when what they did fits together", async () => {
    const { requests, model } = await runWithModes(scratch, {
      prompt: "/ultrapilot build the shop",
      script: {
        main: [
          bash(`hookwright mode split <<'EOF'\n${JSON.stringify(SPLIT)}\nEOF`, "toolu_split"),
          write(inProject("src/web/by-coordinator.ts"), "x", "toolu_coordinator"),
          agent("omc:worker-1", "first"),
          "The API is there.",
          // An ordinary subagent is a worker once it has said so.
          agent("general-purpose", "second"),
          "Both are there.",
          [
            write(inProject("src/routes.ts"), "x", "toolu_shared"),
            bash("hookwright mode integrate", "toolu_integrate"),
          ],
          "The shop is built.",
        ],
        queues: {
          first: [
            write(inProject("src/web/page.ts"), "x", "toolu_foreign"),
            bash("mkdir -p src/web && echo x > src/web/page.ts", "toolu_shell"),
            write(inProject("src/routes.ts"), "x", "toolu_routes"),
            write(inProject("src/api/shop.ts"), "x", "toolu_own"),
            bash("hookwright mode worker 1 complete"),
            "The API is done.",
          ],
          second: [
            bash("hookwright mode worker 2 running"),
            write(inProject("src/web/page.ts"), "y", "toolu_second"),
            bash("hookwright mode worker 2 complete"),
            "The pages are done.",
          ],
        },
      },
    });
    expect(toolResult(requests, "toolu_split").isError).toBe(false);
    const first = model.conversation("first");
    for (const [asked, id, owner] of [
      [requests, "toolu_coordinator", "worker-2"],
      [first, "toolu_foreign", "worker-2"],
      [first, "toolu_shell", "worker-2"],
      [first, "toolu_routes", "coordinator"],
    ] as const) {
      expect(toolResult(asked, id), id).toMatchObject({
        isError: true,
        text: expect.stringContaining(`belongs to ${owner}`),
      });
    }
    expect(toolResult(first, "toolu_own").isError).toBe(false);
    expect(toolResult(model.conversation("second"), "toolu_second").isError).toBe(false);
    expect(toolResult(requests, "toolu_shared").isError).toBe(false);
    expect(readFileSync(inProject("src/web/page.ts"), "utf8")).toBe("y");
    expect(existsSync(inProject("src/web/by-coordinator.ts"))).toBe(false);
    const texts = continuations(requests);
    expect(texts[0]).toContain("1 of 2 workers are not complete: worker-2 (pending) The pages.");
    expect(texts[1]).toContain("All workers are complete. Run `hookwright mode integrate`");
    expect(texts).toHaveLength(2);
    expect(toolResult(requests, "toolu_integrate")).toMatchObject({ isError: false });
    expect(await history(scratch)).toEqual(["ultrapilot: done (2)"]);
  });
});
