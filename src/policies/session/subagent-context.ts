import path from "node:path";
import { policy } from "../../core/policy.ts";
import { filesText } from "../../domain/session/handover/restored-text.ts";
import { logFile } from "../../domain/session/heartbeat.ts";
import { IDENTITY_ENV, sessionName } from "../../domain/session/sessions.ts";
import { ENGINE_ENV, engineCommand } from "../../domain/session/start-hints.ts";
import { isOpenSession, textIn, textsIn } from "../../domain/session/state.ts";
import { sessions } from "../../domain/session/store.ts";

const CONTENT = "preloaded";
const MOST_BYTES = 50_000;
const MOST_FILES = 8;
const ROOM = 4_000;

export default policy({
  id: "session/subagent-context",
  summary: "Tells a subagent which session it works in, how to log, and what its parent has loaded.",
  why: "A subagent starts with an empty context: it does not know the form of the log entries it has to write or the rules its parent has read.",
  origin: "workflow engine",
  stage: "advice",
  messages: {
    begin:
      "You work in the session `{name}` ({skill}, {phase}). Your calls are counted separately: log what you did with `{engine} log {log}` (a `## ` heading first, on standard input).{files}",
  },
  examples: {
    hit: ["a subagent starts in an active session"],
    pass: ["a subagent starts without a session"],
  },
  reads: { env: [...IDENTITY_ENV, ...ENGINE_ENV] },
  uses: sessions,
  on: {
    "subagent.start"(event, ctx, store) {
      const found = store.of(event, ctx.env);
      if (!found || !isOpenSession(found.state)) return undefined;
      const { dir, state } = found;
      const template = textIn(state, "logTemplate");
      const phase = textIn(state, "currentPhase");
      const { userHome } = ctx.places;
      const standards = `${userHome}/.claude/`;
      const loaded = textsIn(state, "preloadedFiles").filter((name) => !absolute(name).startsWith(standards));
      const names = [...new Set([...(template === "" ? [] : [template]), ...loaded])].slice(0, MOST_FILES);
      const files = names.flatMap((name) => {
        const text = ctx.read.text(absolute(name), CONTENT, (whole) => whole.slice(0, MOST_BYTES));
        return text === undefined ? [] : [{ name, text }];
      });
      return ctx.note("begin", {
        name: sessionName(dir),
        skill: textIn(state, "skill") || "no skill",
        phase: phase === "" ? "no phase" : `phase ${phase}`,
        engine: engineCommand(ctx) ?? "engine",
        log: logFile(dir, state),
        files: filesText(files, ROOM),
      });

      function absolute(name: string): string {
        return path.resolve(ctx.actor.project, name.replace(/^~(?=\/)/, userHome));
      }
    },
  },
});
