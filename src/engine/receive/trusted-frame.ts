import path from "node:path";
import { namesInEnvFile } from "../../agents/env-files.ts";
import { agentNamed } from "../../agents/known-agents.ts";
import { projectRoot } from "../../core/actor.ts";
import type { Frame } from "../../core/frame.ts";
import type { Ports } from "../../core/ports.ts";
import { resolveHome } from "../../system/home.ts";
import { parseHookArguments } from "./hook-arguments.ts";

const LARGEST_SETTINGS = 1024 * 1024;
const PREFIX = "HOOKWRIGHT_";

export interface TrustedFrame {
  readonly frame: Frame;
  /** For the person, when a project tried to set variables of the guard; else empty. */
  readonly notice: string;
}

/** The frame without the variables that a project's settings put into its environment: the person did not set them. */
export function trustedFrame(frame: Frame, ports: Ports, userHome: string): TrustedFrame {
  if (!Object.keys(frame.env).some((name) => name.startsWith(PREFIX))) return { frame, notice: "" };
  const cwd = path.isAbsolute(frame.cwd) ? frame.cwd : "/";
  const args = parseHookArguments(frame.args);
  const adapter = typeof args === "string" ? undefined : agentNamed(args.agent);
  const files = adapter?.projectSettings?.(frame.env, cwd, projectRoot(cwd, ports)) ?? [];
  const texts = files.map((file) => ({ file, text: ports.readText(file, LARGEST_SETTINGS) }));
  const { ignored, from } = ignoredVariables(frame.env, texts);
  if (ignored.length === 0) return { frame, notice: "" };
  const env = Object.fromEntries(Object.entries(frame.env).filter(([name]) => !ignored.includes(name)));
  const home = ignored.includes("HOOKWRIGHT_HOME") ? resolveHome(env, userHome, ports.realPath).root : frame.home;
  const notice = `${from.join(" and ")} sets ${ignored.join(", ")}. A project may not configure its own guard this way, so this is ignored.`;
  return { frame: { ...frame, env, home }, notice };
}

export interface SettingsText {
  readonly file: string;
  /** Undefined: there is no such file. */
  readonly text: string | undefined;
}

export interface IgnoredVariables {
  /** Names that must count as not set. */
  readonly ignored: string[];
  /** The files that set them. */
  readonly from: string[];
}

/**
 * An agent puts the `env` of its settings files, or what stands in `.env` files, into the environment of every hook. Files
 * that come with a project could so set the switches of the guard. The variables that they name are removed, whatever value arrived.
 */
export function ignoredVariables(
  env: Readonly<Record<string, string | undefined>>,
  settingsTexts: readonly SettingsText[],
): IgnoredVariables {
  const ignored = new Set<string>();
  const from = new Set<string>();
  for (const { file, text } of settingsTexts) {
    for (const name of text === undefined ? [] : namesSetIn(file, text)) {
      if (!name.startsWith(PREFIX) || env[name] === undefined) continue;
      ignored.add(name);
      from.add(file);
    }
  }
  return { ignored: [...ignored], from: [...from] };
}

function namesSetIn(file: string, text: string): string[] {
  return path.basename(file) === ".env" ? namesInEnvFile(text) : namesInSettings(text);
}

function namesInSettings(text: string): string[] {
  // Hardly any settings file has such a name, so most are not parsed. Letters of a name may be escaped.
  if (!text.includes(PREFIX) && !text.includes("\\u")) return [];
  let settings: unknown;
  try {
    settings = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    // The agent cannot read it either, so it sets nothing.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
  if (typeof settings !== "object" || settings === null || !("env" in settings)) return [];
  const { env } = settings;
  return typeof env === "object" && env !== null && !Array.isArray(env) ? Object.keys(env) : [];
}
