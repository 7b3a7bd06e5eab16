import path from "node:path";
import { claudeCode } from "../../agents/claude-code/adapter.ts";
import { projectRoot } from "../../core/actor.ts";
import type { Frame } from "../../core/frame.ts";
import type { Ports } from "../../core/ports.ts";
import { resolveHome } from "../../system/home.ts";
import { ignoredVariables } from "./ignored-variables.ts";

const LARGEST_SETTINGS = 1024 * 1024;

export interface TrustedFrame {
  readonly frame: Frame;
  /** For the person, when a project tried to reach the guard's own switches; else empty. */
  readonly notice: string;
}

/** The frame without what a project's settings put into its environment: those are not the person's words. */
export function trustedFrame(frame: Frame, ports: Ports, userHome: string): TrustedFrame {
  if (!Object.keys(frame.env).some((name) => name.startsWith("HOOKWRIGHT_"))) return { frame, notice: "" };
  const cwd = path.isAbsolute(frame.cwd) ? frame.cwd : "/";
  const files = claudeCode.projectSettings(frame.env, cwd, projectRoot(cwd, ports));
  const texts = files.map((file) => ({ file, text: ports.readText(file, LARGEST_SETTINGS) }));
  const { ignored, from } = ignoredVariables(frame.env, texts);
  if (ignored.length === 0) return { frame, notice: "" };
  const env = Object.fromEntries(Object.entries(frame.env).filter(([name]) => !ignored.includes(name)));
  const home = ignored.includes("HOOKWRIGHT_HOME") ? resolveHome(env, userHome, ports.realPath).root : frame.home;
  const notice = `${from.join(" and ")} sets ${ignored.join(", ")}. A project may not configure its own guard this way, so this is ignored.`;
  return { frame: { ...frame, env, home }, notice };
}
