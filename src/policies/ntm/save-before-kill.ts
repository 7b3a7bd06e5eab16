import { policy, type SettledContext } from "../../core/policy.ts";
import {
  killedSessions,
  type NtmCall,
  ntmCalls,
  savedSessions,
  succeededCalls,
  usesNtm,
} from "../../domain/ntm/calls.ts";
import { markOnOption } from "../../domain/ntm/options.ts";
import {
  ACTIVE_FILE,
  POLL_FILE,
  readActive,
  readSaveTime,
  SAVED_FILE,
  SPAWN_FILE,
  savedRecord,
} from "../../domain/ntm/records.ts";
import { RUNTIME_ENV, runtimeDirectory } from "../../domain/ntm/runtime-directory.ts";
import { unlessFleetWorker } from "../../domain/ntm/unless-fleet-worker.ts";
import { shellOf } from "../../effects/shell-of-event.ts";

const MINUTE_MS = 60_000;

export default policy({
  id: "ntm/save-before-kill",
  summary: "Denies ending a fleet before its output was saved.",
  why: "A model that is told to stop at once skips the save, and hours of the workers' output are lost.",
  origin: "ntm-orchestrator",
  stage: "ntm",
  filter: { kinds: ["shell"] },
  options: (z) =>
    z.object({
      minutes: z.int().min(1).default(60).describe("How long a save counts.").meta({ tighter: "down" }),
      markOn: markOnOption(z),
    }),
  messages: {
    unnamed:
      "BLOCKED: the name of the ntm session to end cannot be read from this command. Write the name itself, without a variable.",
    unsaved:
      "BLOCKED: the output of the ntm session `{session}` was not saved in the last {minutes} minutes. Save it first, even if you were told to stop at once: run `ntm save {quoted} -o ./outputs`, summarise the output briefly, then end the session in a separate call.",
  },
  examples: {
    hit: ["`ntm kill fleet`", "`ntm save fleet; ntm kill fleet`"],
    pass: ["ntm kill fleet after a successful ntm save fleet"],
  },
  reads: { env: RUNTIME_ENV },
  when: usesNtm,
  on: {
    "tool.before"(event, ctx) {
      const calls = ntmCalls(shellOf(event, ctx.places.userHome).commands).filter((call) => call.subcommand === "kill");
      if (calls.some((call) => call.session === undefined)) return unlessFleetWorker(ctx, ctx.deny("unnamed"));
      const { minutes } = ctx.options;
      const session = killedSessions(calls).find((name) => {
        const saved = ctx.read.mirror([runtimeDirectory(ctx), name, SAVED_FILE], readSaveTime);
        return saved === undefined || ctx.now() - saved > minutes * MINUTE_MS || saved > ctx.now() + MINUTE_MS;
      });
      if (session === undefined) return undefined;
      return unlessFleetWorker(ctx, ctx.deny("unsaved", { session, minutes, quoted: quote(session) }, "after a save"));
    },
  },
  settled: {
    "tool.before"(event, _fate, ctx) {
      if (ctx.options.markOn !== "pre" || ctx.outcome !== "pass") return;
      const { commands } = shellOf(event, ctx.places.userHome);
      remember(ntmCalls(commands), String(event.tool.input.command), ctx);
    },
    "tool.after"(event, _fate, ctx) {
      if (ctx.options.markOn !== "post") return;
      remember(succeededCalls(shellOf(event, ctx.places.userHome)), String(event.tool.input.command), ctx);
    },
  },
});

function remember(calls: readonly NtmCall[], command: string, ctx: SettledContext): void {
  const runtime = runtimeDirectory(ctx);
  for (const session of savedSessions(calls)) {
    ctx.mirror([runtime, session, SAVED_FILE], savedRecord(session, ctx.now(), command));
  }
  for (const session of killedSessions(calls)) {
    for (const file of [SPAWN_FILE, POLL_FILE, SAVED_FILE]) ctx.mirror([runtime, session, file], undefined);
    if (ctx.read([runtime, ACTIVE_FILE], readActive) === session) ctx.mirror([runtime, ACTIVE_FILE], undefined);
  }
}

function quote(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`;
}
