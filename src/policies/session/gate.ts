import path from "node:path";
import type { EventOf } from "../../core/event.ts";
import { type PolicyContext, policy } from "../../core/policy.ts";
import { isRequired, REQUIRED_ENV, requiredOption } from "../../domain/session/options.ts";
import { isControlCall, isInstruction, readPath } from "../../domain/session/required-calls.ts";
import { IDENTITY_ENV, sessionName } from "../../domain/session/sessions.ts";
import {
  askInstruction,
  engineCommand,
  installedSkillsText,
  START_HINTS_ENV,
  shellQuoted,
} from "../../domain/session/start-hints.ts";
import { isOpenSession, lifecycleOf, SESSIONS_FOLDER, textIn } from "../../domain/session/state.ts";
import { sessions } from "../../domain/session/store.ts";
import { brokenFiles } from "../../domain/session/sync.ts";

/** Tools that are needed to start a session. Some clients find the other two with ToolSearch. */
const WAYS_IN = new Set(["AskUserQuestion", "Skill", "ToolSearch"]);

export default policy({
  id: "session/gate",
  summary: "Denies tool calls outside an active session.",
  why: "Work outside a session has no log, no phase and no hand-over: when it is interrupted, nobody can continue it.",
  origin: "workflow engine",
  stage: "session",
  options: (z) => z.object({ required: requiredOption(z) }),
  messages: {
    none: "{tool} was not run, because no session is active. {ask} which skill to use{skills} and which session this work belongs to, then run `{engine} session activate sessions/YYYY_MM_DD_TOPIC SKILL`.{alone}",
    completed:
      "{tool} was not run, because the session `{name}` ({skill}) is {lifecycle}. {ask} whether to continue it (`{engine} session continue {quoted}`) or to start another one (`{engine} session activate sessions/YYYY_MM_DD_TOPIC SKILL`).{alone}",
    broken:
      "{tool} was not run, because no session is active and {file} cannot be read ({problem}). Ask the user to repair or move that file, or start another session with `{engine} session activate sessions/YYYY_MM_DD_TOPIC SKILL`.",
    unopenable:
      "A session is required here, but none can be started: {file} is missing, and the agent's PATH has no `engine`. Therefore tool calls without a session are not denied. Run `hookwright init` again, or look at `hookwright doctor`.",
  },
  examples: {
    hit: [
      "Edit `src/a.ts` with SESSION_REQUIRED=1 and no session",
      "engine session find; ls, in one line, with no session",
    ],
    pass: ["engine session activate sessions/X do, with no session", "any call in an active session", "`ls`"],
  },
  reads: { env: [...IDENTITY_ENV, ...START_HINTS_ENV, REQUIRED_ENV] },
  uses: sessions,
  on: {
    "tool.before"(event, ctx, store) {
      if (!isRequired(ctx)) return undefined;
      const found = store.of(event, ctx.env);
      if ((found && isOpenSession(found.state)) || isWayIn(event, ctx)) return undefined;
      const engine = engineCommand(ctx);
      // Without an engine no session could be started, so nothing is denied.
      if (engine === undefined) return undefined;
      const data = { tool: event.tool.name || "this call", engine, ...askInstruction(ctx) };
      if (found) {
        const { dir, state } = found;
        const about = {
          name: sessionName(dir),
          skill: textIn(state, "skill") || "no skill",
          lifecycle: lifecycleOf(state),
        };
        return ctx.deny("completed", { ...data, ...about, quoted: shellQuoted(dir) }, "after the session is continued");
      }
      const [broken] = Object.entries(brokenFiles(store));
      if (broken)
        return ctx.deny("broken", { ...data, file: broken[0], problem: broken[1] }, "after a session is active");
      return ctx.deny("none", { ...data, skills: installedSkillsText(ctx) }, "after a session is active");
    },
    "session.start"(_event, ctx) {
      if (!isRequired(ctx) || engineCommand(ctx) !== undefined) return undefined;
      return ctx.notice("unopenable", { file: ctx.places.engine });
    },
  },
});

function isWayIn(event: EventOf<"tool.before">, ctx: PolicyContext): boolean {
  if (WAYS_IN.has(event.tool.name) || isControlCall(event, ctx.places)) return true;
  const file = readPath(event);
  return file !== undefined && (isInstruction(file, ctx.places.userHome) || isSessionDocument(file, event.cwd, ctx));
}

/** A document of an earlier session, which may be read before a session is active. */
function isSessionDocument(file: string, cwd: string, ctx: PolicyContext): boolean {
  const folders = [cwd, ctx.actor.project].map((folder) => path.join(folder, SESSIONS_FOLDER));
  return file.endsWith(".md") && folders.some((folder) => file.startsWith(`${folder}/`));
}
