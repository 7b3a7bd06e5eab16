import { HookwrightError } from "../../../core/errors.ts";
import { switchedOffByOmc } from "../../../core/settings/omc-switches.ts";
import { machineOf } from "../../../domain/mode/machines.ts";
import type { ModeRun } from "../../../domain/mode/mode-run.ts";
import { MODES, type ModeName, policyOf } from "../../../domain/mode/modes.ts";
import { placeOf } from "../../../domain/mode/place.ts";
import { planStart, type RoundLimits, type Starter, start } from "../../../domain/mode/start.ts";
import { startText } from "../../../domain/mode/stop-step.ts";
import { configIn } from "../../installation/config-in-folder.ts";
import { agentSettingsIn, enabledPlugins, OMC_PLUGIN } from "../../installation/enabled-plugins.ts";
import { startRequest } from "./arguments.ts";
import type { ModeAccess } from "./mode-access.ts";
import { requestText, runJson, runText, shortSession } from "./show.ts";
import { sessionToHold } from "./which-session.ts";

/** The policy that starts modes from prompts; its limits are those of every start. */
const STARTING_POLICY = "detection/keyword-detector";

export async function startMode(access: ModeAccess, words: readonly string[]): Promise<number> {
  const { context, reader, now } = access;
  const request = startRequest(words, context.options);
  const { mode } = request;
  const { limits, problem } = await modeSettings(access, mode);
  const { runs, replaced } = access.write((work) => {
    const session = sessionToHold(access, work, { mode, typed: `/${mode} REQUEST` });
    const plan = planStart(work.store, request, starterIn(access, session, limits), reader);
    if (plan.kind === "blocked") throw blockedError(mode, plan.blocker);
    start(work.store, work.files, plan, now);
    if (access.caller === "") work.forgetCancel(session);
    return plan;
  });
  if (problem !== "") context.err(problem);
  if (context.options.json) {
    const json = (run: ModeRun): object => runJson(run, access);
    context.out(JSON.stringify({ started: runs.map(json), replaced: replaced.map(json) }));
    return 0;
  }
  const [run] = runs;
  if (run) context.out(begunText(access, run));
  if (replaced.length > 0) context.out(`Ended for it: ${replaced.map((one) => runText(one, reader)).join(", ")}.`);
  return 0;
}

/** What the person reads and, if the session's own agent has run the command, how the mode works. */
export function begunText({ caller, reader }: ModeAccess, run: ModeRun, more: readonly string[] = []): string {
  if (caller === run.session)
    return [[startText(run), ...more].join(" "), "", machineOf(run.mode).guide(run, reader)].join("\n");
  const learns = `The agent of session ${shortSession(run.session, [])} reads of it when its turn ends.`;
  return [startText(run), ...more, learns].join(" ");
}

export function starterIn(
  { context: { env, cwd }, caller }: ModeAccess,
  session: string,
  limits: RoundLimits,
): Starter {
  const isAgent = caller === session;
  const pid = isAgent ? Number(env.CLAUDE_PID) || 0 : 0;
  return { session, promptId: "", pid, pane: isAgent ? placeOf((name) => env[name]) : "", folder: cwd, limits };
}

export interface ModeSettings {
  readonly limits: RoundLimits;
  /** Why nothing holds a mode that is started here; empty when something does. */
  readonly problem: string;
}

/** What the configuration of this folder says about modes. */
export async function modeSettings(
  { context: { env, cwd }, home }: ModeAccess,
  mode: ModeName | undefined,
): Promise<ModeSettings> {
  const { config } = await configIn(home, cwd);
  const limits = config.policies[STARTING_POLICY]?.options?.limits;
  return {
    limits: typeof limits === "object" && limits !== null ? (limits as RoundLimits) : {},
    problem: whyNothingHolds(mode, config.profiles, env, cwd),
  };
}

function whyNothingHolds(
  mode: ModeName | undefined,
  profiles: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): string {
  const by = switchedOffByOmc(env)?.(policyOf(mode ?? MODES[0]), "turn.stop");
  if (by !== undefined) {
    return `${by}=${env[by]} is set in this shell: in agents that are started from it, nothing holds this mode.`;
  }
  if (profiles.includes("omc") || enabledPlugins(agentSettingsIn(env, cwd)).includes(OMC_PLUGIN)) return "";
  const all = [...profiles, "omc"].join(",");
  return `Nothing holds a mode here: the configuration of this folder has no profile \`omc\`, and the plugin omc is not enabled. Run \`hookwright init --profile ${all}\`.`;
}

export function blockedError(mode: string, { mode: blocker, request }: ModeRun): HookwrightError {
  return new HookwrightError("HW_MODE_BLOCKED", { mode, blocker, request: requestText(request) });
}
