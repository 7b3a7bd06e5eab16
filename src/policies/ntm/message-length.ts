import { policy } from "../../core/policy.ts";
import { inlineMessages, ntmCalls, usesNtm } from "../../domain/ntm/calls.ts";
import { RUNTIME_ENV, runtimeDirectory } from "../../domain/ntm/runtime-directory.ts";
import { unlessFleetWorker } from "../../domain/ntm/unless-fleet-worker.ts";
import { shellOf } from "../../effects/shell-of-event.ts";

export default policy({
  id: "ntm/message-length",
  summary: "Denies very long messages on the command line; they have to be sent from a file.",
  why: "The shell and tmux cut or change long inline messages.",
  origin: "ntm-orchestrator",
  stage: "ntm",
  filter: { kinds: ["shell"] },
  options: (z) =>
    z.object({
      longest: z
        .int()
        .min(1)
        .default(2000)
        .describe("Characters an inline message may have.")
        .meta({ tighter: "down" }),
    }),
  messages: {
    long: "BLOCKED: the inline message has {length} characters; --msg takes at most {longest}. Write it to a file in {dir} and use --msg-file (robot form) or --file (send).",
  },
  examples: {
    hit: ['ntm send fleet --msg="<2001 characters>"'],
    pass: ['`ntm send fleet --msg="short"`', "`ntm send fleet --file=prompt.txt`"],
  },
  reads: { env: RUNTIME_ENV },
  when: usesNtm,
  on: {
    "tool.before"(event, ctx) {
      const { longest } = ctx.options;
      const messages = ntmCalls(shellOf(event, ctx.places.userHome).commands).flatMap(inlineMessages);
      const long = messages.find((text) => text.length > longest);
      if (long === undefined) return undefined;
      return unlessFleetWorker(ctx, ctx.deny("long", { length: long.length, longest, dir: runtimeDirectory(ctx) }));
    },
  },
});
