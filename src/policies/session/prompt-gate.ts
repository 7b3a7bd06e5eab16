import { policy } from "../../core/policy.ts";
import { isRequired, REQUIRED_ENV, requiredOption } from "../../domain/session/options.ts";
import { IDENTITY_ENV, sessionName } from "../../domain/session/sessions.ts";
import {
  askInstruction,
  engineCommand,
  installedSkillsText,
  START_HINTS_ENV,
  shellQuoted,
} from "../../domain/session/start-hints.ts";
import { isOpenSession, lifecycleOf, textIn } from "../../domain/session/state.ts";
import { sessions } from "../../domain/session/store.ts";

export default policy({
  id: "session/prompt-gate",
  summary: "Tells the agent with the first prompt that it needs a session before it can work.",
  why: "An agent that learns of the gate only when a call is denied has already planned its work without a session.",
  origin: "workflow engine",
  stage: "session",
  options: (z) =>
    z.object({
      required: requiredOption(z),
      standards: z
        .array(z.string().min(1))
        .default([])
        .describe("Files that an agent is to read before it begins a session, absolute or relative to the project.")
        .meta({ tighter: "union" }),
    }),
  messages: {
    none: "No session is active; calls of other tools are denied until one is. {standards}{ask} which skill to use{skills}, then run `{engine} session activate sessions/YYYY_MM_DD_TOPIC SKILL`.{alone}",
    completed:
      "The previous session `{name}` ({skill}) is {lifecycle}; calls of other tools are denied until a session is active. {standards}{ask} whether to continue it (`{engine} session continue {quoted}`) or to start another one.{alone}",
  },
  examples: {
    hit: ["a prompt with SESSION_REQUIRED=1 and no session", "a prompt after the session was completed"],
    pass: ["a prompt in an active session", "a prompt without SESSION_REQUIRED"],
  },
  reads: { env: [...IDENTITY_ENV, ...START_HINTS_ENV, REQUIRED_ENV] },
  uses: sessions,
  on: {
    "prompt.submit"(event, ctx, store) {
      if (!isRequired(ctx) || !event.fromPerson) return undefined;
      const found = store.of(event, ctx.env);
      if (found && isOpenSession(found.state)) return undefined;
      const engine = engineCommand(ctx);
      if (engine === undefined) return undefined;
      const files = ctx.options.standards;
      const standards = files.length === 0 ? "" : `Read the standards first: ${files.join(", ")}. `;
      const data = { standards, engine, ...askInstruction(ctx) };
      if (!found) return ctx.note("none", { ...data, skills: installedSkillsText(ctx) });
      const { dir, state } = found;
      const about = {
        name: sessionName(dir),
        skill: textIn(state, "skill") || "no skill",
        lifecycle: lifecycleOf(state),
      };
      return ctx.note("completed", { ...data, ...about, quoted: shellQuoted(dir) });
    },
  },
});
