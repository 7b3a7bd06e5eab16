/** What shows an agent's activity, with a real tmux and a program in the place of the desktop's. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Ports } from "../../core/ports.ts";
import type { ShowActivityArgs } from "../../domain/lifecycle/fleet.ts";
import { type Activity, lifecycle } from "../../domain/lifecycle/store.ts";
import { Database } from "../../state/database.ts";
import { openTable } from "../../state/stores.ts";
import { system } from "../../system/system.ts";
import { showActivity } from "./show-activity.ts";

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
if (!hasTmux) console.log("tmux is missing, so what panes show is not tested");

let folder: string;
let socket: string;
let db: Database;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hwf-"));
  socket = path.join(folder, "fleet");
  db = new Database(":memory:", 50);
});
afterEach(() => {
  if (hasTmux) spawnSync("tmux", ["-S", socket, "kill-server"]);
  db.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const base = (): Record<string, string> => ({ PATH: process.env.PATH ?? "", HOME: folder, TERM: "xterm-256color" });
const tmux = (...args: string[]): string =>
  execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], { env: base(), encoding: "utf8" }).trim();
const openPane = (): string => {
  const isFirst = !fs.existsSync(socket);
  const where = isFirst ? ["new-session", "-d", "-s", "f"] : ["split-window", "-d", "-t", "f"];
  return tmux(...where, "-P", "-F", "#{pane_id}", "sleep 300");
};
const shown = (pane: string): string => tmux("show-options", "-pqv", "-t", pane, "@pane_notify");
const ofWindow = (): string => tmux("show-options", "-wqv", "-t", "f", "@window_notify");
const does = (session: string, activity: Activity): void =>
  lifecycle.open(openTable(db, `session:claude-code:${session}`, lifecycle.name, () => undefined)).set(activity, 1);
const order = (session: string, desktop = ""): ShowActivityArgs => ({
  agent: "claude-code",
  session,
  activity: "working",
  desktop,
});
const show = (session: string, pane: string, ports: Ports = system): Promise<void> =>
  showActivity(order(session), db, ports, { ...base(), TMUX: `${socket},1,0`, TMUX_PANE: pane });
/** The agent goes on shortly after the first look at its pane. */
const goingOn = (session: string): Ports => {
  let looks = 0;
  const run: Ports["run"] = async (...words) => {
    const result = await system.run(...words);
    if (looks++ === 0) setTimeout(() => does(session, "working"), 20);
    return result;
  };
  return { ...system, run };
};

describe.skipIf(!hasTmux)("a pane of a fleet", () => {
  it("shows what is worse at once and what is better only when it lasts", async () => {
    const pane = openPane();
    does("a", "working");
    await show("a", pane);
    expect(shown(pane)).toBe("working");
    does("a", "done");
    await show("a", pane, goingOn("a"));
    expect(shown(pane)).toBe("working");
    does("a", "attention");
    await show("a", pane);
    expect(shown(pane)).toBe("unchecked");
    does("a", "done");
    await show("a", pane);
    expect(shown(pane)).toBe("done");
    expect(tmux("show-options", "-pqv", "-t", pane, "window-style")).toBe("bg=#0a0a0a");
  });

  it("wakes who waits for the fleet, and not for a stop that was none", async () => {
    const pane = openPane();
    does("a", "working");
    await show("a", pane);
    const waiting = spawn("tmux", ["-S", socket, "wait-for", "fleet-notify"], { env: base() });
    const woken = once(waiting, "exit");
    does("a", "done");
    await show("a", pane, goingOn("a"));
    expect(waiting.exitCode).toBeNull();
    does("a", "error");
    await show("a", pane);
    expect(await woken).toEqual([0, null]);
  });

  it("counts for its window by the worst of them", async () => {
    const panes = [openPane(), openPane(), openPane()];
    for (const [at, activity] of (["done", "attention", "working"] as const).entries()) {
      does(`s${at}`, activity);
      await show(`s${at}`, panes[at] ?? "");
    }
    expect(ofWindow()).toBe("unchecked");
    does("s2", "error");
    await show("s2", panes[2] ?? "");
    expect(ofWindow()).toBe("error");
  });

  it("is left alone on a server that is no fleet, and is no error once it is closed", async () => {
    const pane = openPane();
    const other = path.join(folder, "default");
    fs.symlinkSync(socket, other);
    does("a", "working");
    await showActivity(order("a"), db, system, { ...base(), TMUX: `${other},1,0`, TMUX_PANE: pane });
    expect(shown(pane)).toBe("");
    await expect(show("a", "%99")).resolves.toBeUndefined();
  });
});

describe("the desktop", () => {
  it("is told in words, as one argument, by the program that is there", async () => {
    const bin = path.join(folder, "bin");
    fs.mkdirSync(bin);
    const told = path.join(folder, "told");
    fs.writeFileSync(path.join(bin, "notify-send"), `#!/bin/sh\nprintf '%s\\n' "$@" > ${told}\n`, { mode: 0o755 });
    const text = 'The agent in /srv/a "b"; $(touch x) needs an answer.';
    await showActivity(order("a", text), db, system, { ...base(), PATH: bin });
    expect(fs.readFileSync(told, "utf8")).toBe(`--app-name=hookwright\n--\nhookwright\n${text}\n`);
  });

  it("is no error where there is none", async () => {
    const told = showActivity(order("a", "is done"), db, system, { ...base(), PATH: path.join(folder, "nothing") });
    await expect(told).resolves.toBeUndefined();
  });
});
