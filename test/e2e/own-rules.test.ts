/** What people add themselves, in the real client: a rule in the configuration, and a policy of the project's own. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import { toolResult } from "./model-requests.ts";
import { hookwright, journal } from "./product.ts";
import { Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(async () => {
  scratch = new Scratch();
  await scratch.run("git", ["init", "--quiet"]);
});
afterEach(() => scratch.dispose());

it("denies what a rule of the project forbids, with the rule's own text", async () => {
  await hookwright(scratch, ["init", "--yes", "--scope", "user"]);
  scratch.write(
    join(scratch.project, "hookwright.yml"),
    "rules:\n  - { id: no-deploys, tool: shell, program: [deploy], do: deny, text: Deploys go through CI. }\n",
  );
  const outcome = await runClaude(scratch, {
    prompt: "deploy",
    script: {
      main: [
        { tool: "Bash", id: "toolu_deploy", input: { command: "touch before && deploy --now" } },
        { tool: "Bash", id: "toolu_other", input: { command: "echo deploy > notes.txt" } },
        "It stays.",
      ],
    },
    ...NO_PERMISSION_CHECKS,
  });
  const denied = toolResult(outcome.requests.slice(0, 2), "toolu_deploy");
  expect(denied).toMatchObject({ isError: true });
  expect(denied.text).toContain("Deploys go through CI. [rules/no-deploys]");
  expect(existsSync(join(scratch.project, "before"))).toBe(false);
  expect(readFileSync(join(scratch.project, "notes.txt"), "utf8")).toBe("deploy\n");
});

it("ends a policy that loops for ever at its deadline, and treats the call as that policy's stage demands", async () => {
  await hookwright(scratch, ["init", "--yes", "--scope", "user"]);
  scratch.write(
    join(scratch.project, ".hookwright", "policies", "endless.js"),
    `export default {
      id: "local/endless", summary: "s", why: "w", stage: "destructive", messages: { m: "x" },
      on: { "tool.before"(event) { if (event.tool.input.command.includes("loop")) for (;;); } },
    };\n`,
  );
  await typeInTerminal("hookwright trust", "trust");
  const outcome = await runClaude(scratch, {
    prompt: "go",
    script: {
      main: [
        { tool: "Bash", id: "toolu_loop", input: { command: "touch loop" } },
        { tool: "Bash", id: "toolu_fine", input: { command: "touch fine" } },
        "Done.",
      ],
    },
    ...NO_PERMISSION_CHECKS,
  });
  // The stage asks a person, and without one at the keyboard the client takes that for a no.
  expect(toolResult(outcome.requests.slice(0, 2), "toolu_loop").isError).toBe(true);
  expect(existsSync(join(scratch.project, "loop"))).toBe(false);
  expect(existsSync(join(scratch.project, "fine"))).toBe(true);
  const asked = (await journal(scratch)).filter((entry) => entry.ruling === "ask");
  expect(JSON.stringify(asked)).toContain("local/endless");
});

/** Some commands are only for a person: a real terminal, and a word that is typed. */
async function typeInTerminal(command: string, word: string): Promise<void> {
  const tmux = (...args: string[]) => scratch.run("tmux", ["-f", "/dev/null", ...args]);
  await tmux("new-session", "-d", "-s", "person", "-x", "120", "-y", "40", `${command}; echo ended $?; sleep 60`);
  const screen = async (): Promise<string> => (await tmux("capture-pane", "-p", "-t", "=person:")).stdout;
  await expect.poll(screen, { timeout: 10_000 }).toContain(`${word}`);
  await tmux("send-keys", "-t", "=person:", "-l", word);
  await tmux("send-keys", "-t", "=person:", "Enter");
  await expect.poll(screen, { timeout: 10_000 }).toContain("ended 0");
  await tmux("kill-session", "-t", "=person");
}
