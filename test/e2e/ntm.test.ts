/** An orchestrating session in the real client: fleets are saved before they end, and claims need evidence. */
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import { newText, toolResult } from "./model-requests.ts";
import { queueMarker, type Turn } from "./model-script.ts";
import { hookwright, isSessionAlive } from "./product.ts";
import { Scratch } from "./scratch.ts";

const NTM = `#!/bin/sh
case "$1" in
  --robot-spawn=*) exec tmux -f /dev/null new-session -d -s "\${1#*=}" 'sleep 300' ;;
  save) mkdir -p outputs && tmux capture-pane -p -t "=$2:" > "outputs/$2.txt" ;;
  kill) exec tmux kill-session -t "=$2" ;;
esac
`;

let scratch: Scratch;
let run: Pick<Parameters<typeof runClaude>[1], "args" | "env">;
beforeEach(async () => {
  scratch = new Scratch();
  await scratch.run("git", ["init", "--quiet"]);
  await hookwright(scratch, ["init", "--yes", "--scope", "user", "--profile", "safety,ntm"]);
  chmodSync(scratch.write(join(scratch.root, "bin", "ntm"), NTM), 0o755);
  const env = { ...NO_PERMISSION_CHECKS.env, NTM_ORCH_RUNTIME_DIR: join(scratch.root, "ntm") };
  run = { args: NO_PERMISSION_CHECKS.args, env };
});
afterEach(() => scratch.dispose());

const bash = (id: string, command: string): Turn => ({ tool: "Bash", id, input: { command } });

describe("a fleet", () => {
  it("cannot be killed before it was saved, and can be afterwards", async () => {
    const outcome = await runClaude(scratch, {
      prompt: "run a fleet",
      script: {
        main: [
          bash("toolu_spawn", "ntm --robot-spawn=night-shift"),
          bash("toolu_kill", "ntm kill night-shift"),
          bash("toolu_save", "ntm save night-shift -o ./outputs"),
          bash("toolu_again", "ntm kill night-shift"),
          "It is over.",
        ],
      },
      ...run,
    });
    const refused = toolResult(outcome.requests.slice(0, 3), "toolu_kill");
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain("ntm/save-before-kill");
    expect(refused.text).toContain("ntm save night-shift");
    for (const id of ["toolu_spawn", "toolu_save", "toolu_again"]) {
      expect(toolResult(outcome.requests, id).isError).toBe(false);
    }
    expect(existsSync(join(scratch.project, "outputs", "night-shift.txt"))).toBe(true);
    expect(await isSessionAlive(scratch, "night-shift")).toBe(false);
    // The fleet is gone, so the stop was not held.
    expect(outcome.requests).toHaveLength(5);
    expect(outcome.result.result).toBe("It is over.");
  });
});

describe("a subagent", () => {
  it("is sent back once for a claim without evidence, and reads why", async () => {
    const prompt = `${queueMarker("coder")} Fix it.`;
    const input = { description: "fix it", prompt, subagent_type: "general-purpose", run_in_background: false };
    const outcome = await runClaude(scratch, {
      prompt: "have it fixed",
      script: {
        main: [{ tool: "Agent", id: "toolu_agent", input }, "The coder is back."],
        queues: { coder: ["Task complete.", "Done. All tests pass."] },
      },
      ...run,
    });
    const asked = outcome.model.conversation("coder");
    expect(asked).toHaveLength(2);
    expect(newText(asked[1] ?? expect.fail("no second request"))).toContain("names no check");
    expect(toolResult(outcome.requests, "toolu_agent").text).toContain("All tests pass.");
    expect(outcome.result.result).toBe("The coder is back.");
  });
});
