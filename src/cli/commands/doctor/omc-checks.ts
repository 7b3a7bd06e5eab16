import type { Json } from "../../../core/event.ts";
import { isObject } from "../../../core/event.ts";
import { OMC_SWITCHES, switchedOffByOmc } from "../../../core/settings/omc-switches.ts";
import { configIn } from "../../installation/config-in-folder.ts";
import { type AgentSettings, agentSettingsIn, enabledPlugins, OMC_PLUGIN } from "../../installation/enabled-plugins.ts";
import type { DoctorContext } from "./context.ts";
import { type DoctorFinding, noteFinding, problemFinding } from "./finding.ts";

const NAME = "oh-my-claudecode";
/** Its plugin in any marketplace, also of a fork. */
const ORIGINAL = /^oh-my-claudecode@/i;
/** Without the plugin it copies its hooks into the agent's folder. */
const ITS_HOOK = /oh-my-claudecode|(?:^|\/)hooks\/(?:persistent-mode|keyword-detector)\.(?:mjs|cjs|js|sh)\b/;

/** Findings about the profile `omc` and the system that it replaces; empty where the profile is not in use. */
export async function omcFindings({ home, env, cwd }: DoctorContext): Promise<DoctorFinding[]> {
  const settings = agentSettingsIn(env, cwd);
  const plugins = enabledPlugins(settings);
  const { profiles } = (await configIn(home, cwd)).config;
  if (!profiles.includes("omc") && !plugins.includes(OMC_PLUGIN)) return [];
  return [
    ...originalFindings(
      plugins.filter((plugin) => ORIGINAL.test(plugin)),
      settings,
    ),
    ...switchFindings(env),
  ];
}

function originalFindings(plugins: readonly string[], settings: readonly AgentSettings[]): DoctorFinding[] {
  const twice = "Both continue the same turns, and end a mode by different rules.";
  if (plugins.length > 0) {
    const detail = `its plugin ${plugins.join(", ")} is enabled beside Hookwright's profile omc. ${twice}`;
    return [
      problemFinding(NAME, detail, `Run ${plugins.map((name) => `\`claude plugin disable ${name}\``).join(", ")}.`),
    ];
  }
  const files = settings.filter(({ settings: one }) => commandsIn(one).some((command) => ITS_HOOK.test(command)));
  if (files.length === 0) return [];
  const names = files.map(({ file }) => file).join(", ");
  const detail = `its hooks are registered in ${names}, beside Hookwright's profile omc. ${twice}`;
  return [problemFinding(NAME, detail, "Remove its entries from the `hooks` of that file.")];
}

function switchFindings(env: NodeJS.ProcessEnv): DoctorFinding[] {
  if (!switchedOffByOmc(env)) return [];
  const set = OMC_SWITCHES.filter((name) => (env[name] ?? "") !== "").map((name) => `${name}=${env[name]}`);
  const detail = `${set.join(" and ")} switches policies off, here and for agents that are started from this shell`;
  return [noteFinding("switches of oh-my-claudecode", detail, "`hookwright policies` names them.")];
}

function commandsIn(settings: Json): string[] {
  const hooks = isObject(settings) && isObject(settings.hooks) ? Object.values(settings.hooks) : [];
  const groups = hooks.flatMap((group) => (Array.isArray(group) ? group : []));
  const handlers = groups.flatMap((group: Json) => (isObject(group) && Array.isArray(group.hooks) ? group.hooks : []));
  return handlers.flatMap((handler: Json) => {
    if (!isObject(handler) || typeof handler.command !== "string") return [];
    const args = Array.isArray(handler.args) ? handler.args.filter((arg) => typeof arg === "string") : [];
    return [[handler.command, ...args].join(" ")];
  });
}
