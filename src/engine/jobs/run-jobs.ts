import os from "node:os";
import path from "node:path";
import type { Ports } from "../../core/ports.ts";
import { checkFile } from "../../domain/code-tools/check-file.ts";
import { CHECK_JOB, type CheckOrder } from "../../domain/code-tools/order.ts";
import { SHOW_ACTIVITY_JOB, type ShowActivityArgs } from "../../domain/lifecycle/fleet.ts";
import { NOTEPAD_JOB, runNotepadJob } from "../../domain/notepad/edit-notepad.ts";
import { DELIVER_JOB } from "../../domain/notifications/notification.ts";
import { EXPORT_SPANS_JOB } from "../../domain/notifications/spans.ts";
import { RESTART_JOB, type RestartArgs } from "../../domain/session/handover/restart.ts";
import { TYPE_JOB, typeInto } from "../../domain/session/handover/type-into-pane.ts";
import { runMaintainJob } from "../../domain/setup/maintain.ts";
import { MAINTAIN_JOB } from "../../domain/setup/store.ts";
import { runSkillJob, SKILL_JOB } from "../../domain/skills/keep-skill.ts";
import { atmPathsIn } from "../../domain/team/atm-paths.ts";
import type { TeamRequest } from "../../domain/team/protocol.ts";
import { REPORT_JOB } from "../../domain/team/report-lifecycle.ts";
import { askSocket } from "../../domain/team/socket-client.ts";
import { expireSnapshots } from "../../domain/undo/expire.ts";
import { readSpending } from "../../domain/usage/read-spending.ts";
import { READ_SPENDING_JOB } from "../../domain/usage/spent-so-far.ts";
import type { Database } from "../../state/database.ts";
import { PRUNE } from "../../state/jobs.ts";
import { believableTime, DEFAULT_RETENTION, prune } from "../../state/retention.ts";
import { crashPoint } from "../../system/crash-point.ts";
import { resolveHome } from "../../system/home.ts";
import { deliver, sendSpans } from "./notifications/deliver.ts";
import { restartAgent } from "./restart-agent.ts";
import { type JobHandlers, type JobRun, runQueue } from "./run-queue.ts";
import { showActivity } from "./show-activity.ts";

/** Work that outlives a hook, by name. A job may run twice after a crash, so each must bear that. */
const HANDLERS: JobHandlers = {
  [PRUNE]: async (_args, { db, ports, env }) => {
    const now = believableTime(db, ports.now());
    await prune(db, DEFAULT_RETENTION, ports.now());
    await expireSnapshots({ folder: resolveHome(env, os.homedir(), ports.realPath).undo }, env, now);
  },
  async [REPORT_JOB](args, { services }) {
    const { home, request } = args as unknown as { home: string; request: TeamRequest };
    // The registry of our own socket has it already: the event that added this job wrote it there.
    if (services && (await services.serveTeams(home)).owner === "us") return;
    await askSocket(atmPathsIn(home).socket, request);
  },
  [TYPE_JOB]: (args, { ports, env }) => typeInto(args, ports, env),
  [RESTART_JOB]: (args, { db, ports, env }) => restartAgent(args as unknown as RestartArgs, db, ports, env),
  [SHOW_ACTIVITY_JOB]: (args, { db, ports, env }) => showActivity(args as unknown as ShowActivityArgs, db, ports, env),
  [MAINTAIN_JOB]: (args, { db, ports }) => runMaintainJob(args, db, ports.now()),
  async [CHECK_JOB](args, { ports, env, leaveNote }) {
    const order = args as unknown as CheckOrder;
    const text = await checkFile(order, ports, env);
    const { agent, session } = order;
    if (text !== "") leaveNote({ agent, session, event: "tool.after", policy: "detection/plugin-patterns", text });
  },
  [READ_SPENDING_JOB]: (args, { db, ports }) => readSpending(args, db, ports.now()),
  [DELIVER_JOB]: deliver,
  [EXPORT_SPANS_JOB]: sendSpans,
  [NOTEPAD_JOB]: (args, { db }) => runNotepadJob(args, db, (point) => crashPoint(path.dirname(db.file), point)),
  [SKILL_JOB]: (args, { db }) => runSkillJob(args, db, (point) => crashPoint(path.dirname(db.file), point)),
};

/** Runs all due jobs, one after the other, and returns how many ran. */
export function runDueJobs(db: Database, ports: Ports, run: JobRun = {}): Promise<number> {
  return runQueue(db, ports, HANDLERS, run);
}
