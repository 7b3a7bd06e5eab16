import fs from "node:fs";
import { compileConfig } from "../../../config/compile.ts";
import {
  type Handover,
  handoverText,
  miniHandover,
  pendingHandover,
  readHandover,
  withHandover,
} from "../../../domain/session/handover/handover.ts";
import { continuePrompt, RESTART_JOB, withRestartRequested } from "../../../domain/session/handover/restart.ts";
import { sessionName } from "../../../domain/session/sessions.ts";
import { skillCommand } from "../../../domain/session/skill-command.ts";
import { type SessionState, withFields } from "../../../domain/session/state.ts";
import { findConfigFiles, readConfigSources } from "../../../engine/config/config-files.ts";
import { wayToAgent } from "../../../engine/jobs/restart-agent.ts";
import { crashPoint } from "../../../system/crash-point.ts";
import { system } from "../../../system/system.ts";
import { homeOf } from "../../installation/current-build.ts";
import { startJobs } from "../../state/start-jobs.ts";
import type { ExtraWrites, SessionAccess } from "./session-access.ts";
import { sessionUsageError } from "./start-session.ts";
import { handoverDocument, readHandoverDocument } from "./take-handover.ts";

/** Saves the hand-over; with contextPolicy `restart` the agent is then restarted. */
export async function dehydrate(access: SessionAccess, [typed, ...more]: readonly string[]): Promise<number> {
  if (more.length > 0)
    throw sessionUsageError("dehydrate needs at most a folder; the hand-over comes on standard input");
  // `restart` is the argument of the skill `dehydrate`, which agents pass on to this command.
  const { dir } = access.session(typed === "restart" ? undefined : typed);
  const { handover, leftOut } = readHandover(await access.input());
  const isRestart = (await contextPolicy(access)) === "restart";
  const { out } = access.context;
  const kept = (): void => {
    out(`The hand-over of ${sessionName(dir)} is saved, also in ${handoverDocument(dir)}.`);
    if (leftOut.length > 0) out(`Only the first 8 required files were saved. Left out: ${leftOut.join(", ")}`);
  };
  // The restart is requested in the same transaction as the hand-over, so that no crash can come between them.
  if (isRestart && access.context.env.TEST_MODE !== "1") return restartSession(access, dir, { handover, kept });
  access.write((store, save, also) => {
    also.document(handoverDocument(dir), handoverText(handover));
    const state = withHandover(store.get(dir) ?? {}, handover);
    save(dir, isRestart ? state : withFields(state, { lifecycle: "active", overflowed: false }));
  });
  kept();
  if (isRestart) return restartSession(access, dir);
  out("The agent is not restarted, because contextPolicy is `preserve`. To restart it, run `engine session restart`.");
  return 0;
}

export async function restart(access: SessionAccess, [typed, ...more]: readonly string[]): Promise<number> {
  if (more.length > 0) throw sessionUsageError("restart needs at most a folder");
  return restartSession(access, access.session(typed).dir);
}

/** A hand-over that is saved together with the restart request; `kept` prints that it is saved. */
interface Given {
  readonly handover: Handover;
  kept(): void;
}

async function restartSession(access: SessionAccess, dir: string, given?: Given): Promise<number> {
  const { env, out } = access.context;
  const places = { userHome: env.HOME ?? "/" };
  const command = skillCommand({ env: (name) => env[name], places }, system.info);
  const way = await wayToAgent(env, system);
  const prompt = continuePrompt(dir, access.session(dir).state, command);
  const manual = `End this agent, then start a new one with: claude ${JSON.stringify(prompt)}`;
  if (env.TEST_MODE === "1") {
    out(`TEST_MODE: nothing is ended. ${way.kind === "none" ? manual : `By ${way.kind}: ${prompt}`}`);
    return 0;
  }
  const job = access.write((store, save, also) => {
    const state = store.get(dir) ?? {};
    const captured = withHandover(state, given?.handover ?? capture(dir, state, also));
    if (given) also.document(handoverDocument(dir), handoverText(given.handover));
    const id = `${access.who.session}:${access.now}:${process.pid}`;
    save(dir, withRestartRequested(captured, id, prompt));
    return way.kind === "none" ? undefined : also.job(RESTART_JOB, { project: access.project, dir, id });
  });
  crashPoint(homeOf(env).root, "restart-asked");
  given?.kept();
  if (job === undefined) out(manual);
  else {
    out(`The agent will now be restarted. End your turn; the new run continues with: ${prompt}`);
    startJobs(access.context, [job]);
  }
  return 0;
}

/** The pending hand-over; without one a minimal one is generated, because no agent is ended without a hand-over. */
function capture(dir: string, state: SessionState, also: ExtraWrites): Handover {
  const before = pendingHandover(state, readHandoverDocument(dir));
  if (before) return before;
  const cause = "The agent was restarted.";
  const handover = miniHandover(dir, state, { files: fs.readdirSync(dir), transcript: "", cause });
  also.document(handoverDocument(dir), handoverText(handover));
  return handover;
}

async function contextPolicy(access: SessionAccess): Promise<string> {
  const home = homeOf(access.context.env);
  const { sources } = readConfigSources(home, findConfigFiles(home, access.context.cwd, access.project));
  return (await compileConfig(sources)).contextPolicy;
}
