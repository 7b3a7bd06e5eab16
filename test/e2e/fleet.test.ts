/** What panes of a fleet show, in a real tmux: events go through the real hook, jobs through the real runner. */
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { hookwright } from "./product.ts";
import { Scratch } from "./scratch.ts";
import { Terminal } from "./terminal.ts";

let scratch: Scratch;
beforeEach(async () => {
  scratch = new Scratch();
  await tmux("-f", "/dev/null", "new-session", "-d", "-s", "f", "-x", "100", "-y", "30", "sleep 300");
  await tmux("split-window", "-t", "f", "sleep 300");
});
afterEach(async () => {
  await scratch.run("tmux", ["-L", "fleet", "kill-server"]);
  await scratch.dispose();
});

async function tmux(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await scratch.run("tmux", ["-L", "fleet", ...args]);
  if (exitCode !== 0) throw new Error(`tmux ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

const inPane = (pane: string) => ({
  TMUX: `${join(scratch.tmuxFolder, `tmux-${process.getuid?.() ?? 0}`, "fleet")},1,0`,
  TMUX_PANE: pane,
});
const paneState = (pane: string) => tmux("show-options", "-pqv", "-t", pane, "@pane_notify");
const windowState = () => tmux("show-options", "-wqv", "-t", "f", "@window_notify");

/** An event of the agent in this pane. */
async function send(pane: string, event: Record<string, unknown>): Promise<void> {
  const input = JSON.stringify({ session_id: `agent-${pane}`, cwd: scratch.project, ...event });
  await hookwright(scratch, ["hook", "--profile", "session"], { input, env: inPane(pane) });
}

const working = { hook_event_name: "UserPromptSubmit", prompt: "go" };
const asks = { hook_event_name: "Notification", notification_type: "permission_prompt", message: "May I?" };
const fails = { hook_event_name: "StopFailure", error: "rate_limit" };
const stops = { hook_event_name: "Stop", stop_hook_active: false };
const ends = { hook_event_name: "SessionEnd", reason: "other" };

async function shows(look: () => Promise<string>, state: string): Promise<void> {
  let seen = "";
  for (let waited = 0; waited < 15_000; waited += 50) {
    seen = await look();
    if (seen === state) return;
    await sleep(50);
  }
  expect(seen).toBe(state);
}

it("a pane shows its agent, a window the worst of its panes, and looking at a pane counts as having seen it", async () => {
  expect(await hookwright(scratch, ["session", "fleet", "install"], { env: inPane("%0") })).toContain("show what");
  await send("%0", working);
  await shows(() => paneState("%0"), "working");
  await send("%1", asks);
  await shows(() => paneState("%1"), "unchecked");
  await shows(windowState, "unchecked");
  expect(await tmux("show-options", "-pqv", "-t", "%1", "window-style")).toBe("bg=#081a10");
  await send("%0", fails);
  await shows(() => paneState("%0"), "error");
  await shows(windowState, "error");
  await send("%0", working);
  await shows(() => paneState("%0"), "working");
  await shows(windowState, "unchecked");
  await tmux("select-pane", "-t", "%0");
  expect(await paneState("%1")).toBe("unchecked");
  await tmux("select-pane", "-t", "%1");
  await shows(() => paneState("%1"), "checked");
  await shows(windowState, "working");
  await send("%0", stops);
  await shows(() => paneState("%0"), "done");
  await shows(windowState, "checked");
  await send("%1", ends);
  await shows(() => paneState("%1"), "done");
  await hookwright(scratch, ["session", "fleet", "uninstall"], { env: inPane("%0") });
  expect(await tmux("show-hooks", "-g")).not.toContain("@pane_notify");
});

it("wakes whoever waits for the fleet", async () => {
  await send("%0", working);
  await shows(() => paneState("%0"), "working");
  const waiting = scratch.run("tmux", ["-L", "fleet", "wait-for", "fleet-notify"], { timeoutMs: 20_000 });
  await send("%0", asks);
  await shows(() => paneState("%0"), "unchecked");
  expect((await waiting).exitCode).toBe(0);
});

it("an agent that waits for an answer is seen in its pane, heard in its terminal and told on the desktop", {
  timeout: 180_000,
}, async () => {
  const bin = scratch.folder("desktop");
  const told = join(bin, "told");
  scratch.write(join(bin, "notify-send"), `#!/bin/sh\nprintf '%s|' "$@" >> ${told}\n`, 0o755);
  await hookwright(scratch, ["init", "--yes", "--scope", "user", "--profile", "session"]);
  const sinks = "policies:\n  session/fleet:\n    sinks: [tmux, terminal, desktop]\n";
  scratch.write(join(scratch.hookwrightHome, "config.yml"), `profiles: [session]\n${sinks}`);
  const client = await Terminal.start(scratch, {
    socket: "fleet",
    asks: true,
    script: { main: [{ tool: "Bash", input: { command: "touch asked" } }], whenExhausted: "Done." },
    env: { PATH: [bin, scratch.environment.PATH].join(delimiter) },
  });
  try {
    const pane = (await client.tmux("display-message", "-p", "-t", "client", "#{pane_id}")).trim();
    await hookwright(scratch, ["session", "fleet", "install"], { env: inPane(pane) });
    // What the client sends to its terminal, byte for byte.
    const sent = join(scratch.root, "sent");
    await client.tmux("pipe-pane", "-t", pane, `cat > ${sent}`);
    await client.type("touch a file");
    await shows(() => paneState(pane), "working");
    await client.sees(/Do you want to proceed/);
    await shows(() => paneState(pane), "unchecked");
    await shows(() => tmux("show-options", "-wqv", "-t", "client", "@window_notify"), "unchecked");
    await client.until(() => existsSync(told), "the desktop was never told");
    expect(readFileSync(told, "utf8")).toContain(`hookwright|The agent in ${scratch.project} needs an answer.|`);
    const heard = (): boolean => /\]9;[\w ]*permission/.test(readFileSync(sent, "latin1"));
    await client.until(heard, "the terminal was never told");
    // Somebody looks at another pane, and comes back.
    await client.tmux("split-window", "-t", pane, "sleep 300");
    expect(await paneState(pane)).toBe("unchecked");
    await client.tmux("select-pane", "-t", pane);
    await shows(() => paneState(pane), "checked");
    await client.tmux("send-keys", "-t", pane, "Enter");
    await shows(() => paneState(pane), "done");
    await client.until(() => readFileSync(told, "utf8").includes("is done."), "the desktop was not told of the end");
    expect(existsSync(join(scratch.project, "asked"))).toBe(true);
  } finally {
    await client.stop();
  }
});
