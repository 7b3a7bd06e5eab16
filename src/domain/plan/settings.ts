import { isObject } from "../../core/event.ts";
import type { YamlRead } from "../../core/policy.ts";

/** Relative to the project. The file belongs to the team and has other sections, which are ignored here. */
export const SETTINGS_FILE = ".claude/project.yml";

export const VERIFICATIONS = ["agent", "prompt", "off"] as const;
export type Verification = (typeof VERIFICATIONS)[number];

export interface HookSettings {
  readonly verification: Verification;
  readonly stopGuard: boolean;
  readonly sessionContext: boolean;
  readonly precompactState: boolean;
  /** What is wrong with the file, in sentences. An invalid setting counts as off. */
  readonly problems: readonly string[];
}

const ALL_OFF: HookSettings = {
  verification: "off",
  stopGuard: false,
  sessionContext: false,
  precompactState: false,
  problems: [],
};

/** Everything is off until the file says otherwise. */
export function readHookSettings(read: YamlRead, file: string): HookSettings {
  if (read.kind === "absent") return ALL_OFF;
  if (read.kind === "unreadable") return { ...ALL_OFF, problems: [`${read.detail} All hooks of the plan are off.`] };
  const hooks = isObject(read.value) ? read.value.hooks : undefined;
  if (hooks === undefined || hooks === null) return ALL_OFF;
  if (!isObject(hooks)) {
    return { ...ALL_OFF, problems: [`${file}: hooks must hold keys such as \`stop_guard: true\`.`] };
  }
  const problems: string[] = [];
  const flag = (key: string): boolean => {
    const value = Object.hasOwn(hooks, key) ? hooks[key] : undefined;
    if (typeof value === "boolean") return value;
    if (value !== undefined && value !== null) problems.push(`${file}: hooks.${key} must be true or false.`);
    return false;
  };
  const given = Object.hasOwn(hooks, "task_verification") ? hooks.task_verification : undefined;
  // YAML 1.1 reads a bare `off` as false.
  const word = given === false ? "off" : given;
  const verification = VERIFICATIONS.find((name) => name === word);
  if (verification === undefined && word !== undefined && word !== null) {
    problems.push(`${file}: hooks.task_verification must be 'agent', 'prompt', or 'off'.`);
  }
  return {
    verification: verification ?? "off",
    stopGuard: flag("stop_guard"),
    sessionContext: flag("session_context"),
    precompactState: flag("precompact_state"),
    problems,
  };
}
