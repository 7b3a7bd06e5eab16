import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { system } from "../../../system/system.ts";
import { typeInto, typeJobArgs } from "./type-into-pane.ts";

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
if (!hasTmux) console.log("tmux is missing, so typing into a pane is not tested");

let folder: string;
let env: Record<string, string>;
const tmux = (...args: string[]): string =>
  execFileSync("tmux", ["-f", "/dev/null", ...args], { env, encoding: "utf8" });
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hwt-"));
  env = { PATH: process.env.PATH ?? "", HOME: folder, TMUX_TMPDIR: folder, TERM: "xterm-256color" };
});
afterEach(() => {
  if (hasTmux) spawnSync("tmux", ["kill-server"], { env });
  fs.rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!hasTmux)("typing into a pane", () => {
  it("sends the words as they are, and one line only", async () => {
    tmux("new-session", "-d", "-s", "x", "-x", "200", "cat -v");
    const pane = tmux("list-panes", "-t", "x", "-F", "#{pane_id}").trim();
    await typeInto(typeJobArgs(pane, "/review C-c $HOME\nsecond", true), system, env);
    const shown = async (): Promise<string> => {
      for (let tries = 0; tries < 50; tries++) {
        const text = tmux("capture-pane", "-p", "-t", pane);
        if (text.split("second").length > 2) return text;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return tmux("capture-pane", "-p", "-t", pane);
    };
    // The terminal echoes the text, and `cat` prints the finished line again.
    expect(await shown()).toContain("^[^[/review C-c $HOME second\n^[^[/review C-c $HOME second");
  });

  it("fails when there is no such pane", async () => {
    tmux("new-session", "-d", "-s", "x", "sleep 60");
    await expect(typeInto(typeJobArgs("%99", "x", false), system, env)).rejects.toThrow("did not take the keys");
  });
});
