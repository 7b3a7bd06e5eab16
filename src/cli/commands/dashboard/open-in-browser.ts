import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { Home } from "../../../system/home.ts";
import { makeFolder } from "../../../system/make-folder.ts";

/**
 * Opens the address through a private file: other users can read the arguments of a process, and the address holds the
 * token. Returns what removes the file.
 */
export function openInBrowser(url: string, { root }: Pick<Home, "root">, env: NodeJS.ProcessEnv): () => void {
  const program = openerOf(env);
  if (program === undefined) return () => undefined;
  makeFolder(root, 0o700);
  const file = path.join(root, `dashboard-${process.pid}.html`);
  fs.rmSync(file, { force: true });
  fs.writeFileSync(file, pageFor(url), { mode: 0o600, flag: "wx" });
  const child = spawn(program, [file], { stdio: "ignore", detached: true, env });
  // Without such a program the person opens the printed address.
  child.on("error", () => fs.rmSync(file, { force: true }));
  child.unref();
  return () => fs.rmSync(file, { force: true });
}

/** Undefined where no browser can be shown. */
function openerOf(env: NodeJS.ProcessEnv): string | undefined {
  if (process.platform === "darwin") return "open";
  return env.DISPLAY || env.WAYLAND_DISPLAY ? "xdg-open" : undefined;
}

function pageFor(url: string): string {
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${url}"><title>Hookwright</title>\n`;
}
