import type { EventOf } from "../../core/event.ts";
import type { SettledContext } from "../../core/policy.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import { beginWriting, OMC } from "../omc-folder/omc-folder.ts";
import type { JudgedCall } from "./judge-call.ts";

const LOGS = "logs";
const FILE = "delegation-audit.jsonl";

/** Adds a line about a write of the main agent to the log that oh-my-claudecode has. The log is rotated. */
export function addAuditLine(
  event: EventOf<"tool.before">,
  { path, reason, level, says }: JudgedCall,
  ctx: SettledContext,
): void {
  const isBlocked = says === "strict";
  // A call that others have denied has written nothing.
  if (level === "off" || (ctx.outcome === "deny" && !isBlocked)) return;
  const { project } = ctx.actor;
  if (
    !beginWriting(LOGS, {
      project,
      info: ctx.info.bind(ctx),
      mirror: ctx.mirror.bind(ctx),
      mirrorText: ctx.mirrorText.bind(ctx),
    })
  )
    return;
  const timestamp = new Date(ctx.now()).toISOString();
  const { tool, session } = event;
  const decision = isBlocked ? "blocked" : reason === "allowed_path" ? "allowed" : "warned";
  const line = {
    ...{ timestamp, tool: tool.name, filePath: path, decision, reason },
    ...{ enforcementLevel: level, sessionId: session },
  };
  ctx.addLine([project, OMC, LOGS, FILE], fingerprint(session, tool.useId, timestamp, path), line);
}
