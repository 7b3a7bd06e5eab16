import type * as Zod from "zod";
import type { AnyEvent } from "../../core/event.ts";
import { type PolicyContext, policy, type SettledContext } from "../../core/policy.ts";
import { type Followup, follow, followed, sentence } from "../../domain/notifications/follow.ts";
import {
  DELIVER_JOB,
  deliveries,
  isWanted,
  KINDS,
  type NotificationOptions,
} from "../../domain/notifications/notification.ts";
import { EXPORT_SPANS_JOB, isSpanDue } from "../../domain/notifications/spans.ts";

type Store = ReturnType<typeof followed.open>;
type Settled = SettledContext<"told", NotificationOptions>;

/** Without encryption only to this machine: others could read what is sent, and change it. */
const ADDRESS =
  /^(?:https:\/\/[^\s]+|http:\/\/(?:[^\s/@]*@)?(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/[^\s]*)?)$/;

const address = (z: typeof Zod) =>
  z.string().regex(ADDRESS, "takes an address that begins with `https://`, or with `http://` on this machine");

export default policy({
  id: "notifications/send",
  summary: "Notifies a person of agents that wait, have failed or are done, and sends traces of tool calls.",
  why: "An agent that waits for an answer while nobody looks at its terminal does nothing, sometimes for hours.",
  stage: "recorder",
  defaultMode: "off",
  options: (z) => {
    const person = { tighter: "person" } as const;
    return z.object({
      for: z
        .array(z.enum(KINDS))
        .default(["waiting", "failed", "done"])
        .describe("What is worth a notification.")
        .meta(person),
      subagents: z.boolean().default(false).describe("Also tell of calls of subagents that were denied.").meta(person),
      quiet: z
        .string()
        .regex(/^(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d$/, "takes two times, such as `22:00-07:00`")
        .optional()
        .describe("Hours without notifications, such as `22:00-07:00`, by the clock of this machine.")
        .meta(person),
      terminal: z
        .boolean()
        .default(false)
        .describe("A notification of the terminal that the agent runs in.")
        .meta(person),
      desktop: z.boolean().default(false).describe("A notification of the desktop.").meta(person),
      tmux: z
        .enum(["off", "message", "option"])
        .default("off")
        .describe("A message in tmux, or the option `@hookwright_notification` of the agent's pane.")
        .meta(person),
      webhook: z
        .object({ url: address(z), secretFile: z.string().min(1) })
        .optional()
        .describe("An address that gets a signed POST, and the file with the key of the signature.")
        .meta(person),
      otlp: z
        .object({ endpoint: address(z), headersFile: z.string().min(1).optional() })
        .optional()
        .describe("A collector that takes OTLP over HTTP as JSON, and a file with headers for it.")
        .meta(person),
    });
  },
  messages: { told: "{text}" },
  examples: {
    hit: ["a permission prompt that nobody has answered, with `terminal: true`"],
    pass: ["the same prompt once more", "the end of a turn that no person has asked for", "`ls`"],
  },
  uses: followed,
  on: {
    "notification.sent": (event, ctx, store) => alert(event, ctx, store),
    "turn.stop": (event, ctx, store) => alert(event, ctx, store),
  },
  settled: {
    "prompt.submit": (event, _fate, ctx, store) => settle(event, ctx, store),
    "tool.before": (event, _fate, ctx, store) => settle(event, ctx, store),
    "tool.after": (event, _fate, ctx, store) => settle(event, ctx, store),
    "tool.failed": (event, _fate, ctx, store) => settle(event, ctx, store),
    "notification.sent": (event, _fate, ctx, store) => settle(event, ctx, store),
    "permission.request": (event, _fate, ctx, store) => settle(event, ctx, store),
    "turn.stop": (event, _fate, ctx, store) => settle(event, ctx, store),
    "turn.failed": (event, _fate, ctx, store) => settle(event, ctx, store),
    "session.end": (event, _fate, ctx, store) => settle(event, ctx, store),
  },
});

/** The terminal is reached through the agent's own answer. */
function alert(event: AnyEvent, ctx: PolicyContext<"told", NotificationOptions>, store: Store) {
  const { options } = ctx;
  if (!options.terminal) return undefined;
  const about = { outcome: "pass", decidedBy: "", subagents: options.subagents } as const;
  const { thing } = follow(store.state(), event, about);
  if (!thing || !isWanted(options, { kind: thing.kind, at: ctx.now() })) return undefined;
  return ctx.notice("told", { text: sentence(event.agent, ctx.actor.project, thing.text) }, "alert");
}

/** Whatever leaves this process is left to jobs. */
function settle(event: AnyEvent, ctx: Settled, store: Store): void {
  const { outcome, decidedBy, isWaiting, options } = ctx;
  const before = store.state();
  const about = { outcome, decidedBy, isWaiting, subagents: options.subagents };
  const { state, thing }: Followup = follow(before, event, about);
  if (state !== before) store.save(state);
  const at = ctx.now();
  if (thing) {
    const { agent, session } = event;
    const { project } = ctx.actor;
    const text = sentence(agent, project, thing.text);
    for (const args of deliveries(options, { kind: thing.kind, text, agent, session, project, at }))
      ctx.job(DELIVER_JOB, args);
  }
  if (options.otlp && isSpanDue(event, outcome, at - store.exportedAt())) {
    store.setExportedAt(at);
    ctx.job(EXPORT_SPANS_JOB, { since: at });
  }
}
