import type { EventOf } from "../../core/event.ts";
import { policy } from "../../core/policy.ts";
import { shownPath } from "../../domain/claims/file-names.ts";
import { type FleetClaim, fleetClaims } from "../../domain/claims/fleet-claims.ts";

const SHOWN_SESSION = 8;

export default policy({
  id: "safety/fleet-file",
  summary:
    "Tells an agent, or keeps it from editing, when a session on another machine of the fleet edits the same file.",
  why: "Two machines that change one file in their own checkouts find out when they merge, which is late.",
  stage: "scope",
  options: (z) =>
    z.object({
      answer: z
        .enum(["note", "deny"])
        .default("note")
        .describe("`note`: the agent is told, once for each file; `deny`: it may not edit the file meanwhile.")
        .meta({ tighter: "up", order: ["note", "deny"] }),
    }),
  messages: {
    note: "{path} is being edited on the machine {machine} ({agent} {session}). That change is not in this checkout: keep your edit small, or agree with its session first. This is said once for this file.",
    taken:
      "{path} is being edited on the machine {machine} ({agent} {session}). Work on something else until it is released: when that session ends, or an hour after its last edit.",
  },
  examples: {
    hit: ["the first edit of a file that a session on another machine edited ten minutes ago"],
    pass: [
      "a machine without a fleet",
      "the same file of another project",
      "Edit `src/a.ts`, which nobody else has edited",
    ],
  },
  uses: fleetClaims,
  on: {
    "tool.before"(event, ctx, claims) {
      if (event.writes.length === 0) return undefined;
      return event.writes.flatMap((file) => {
        const real = ctx.realPath(file);
        const claim = claims.of(real, ctx.now());
        if (!claim) return [];
        const data = { ...shown(claim), path: shownPath(file, ctx.actor.project) };
        if (ctx.options.answer === "deny") return ctx.deny("taken", data);
        return claims.wasTold(real, event.session) ? [] : ctx.note("note", data);
      });
    },
  },
  settled: {
    "tool.before"(event, fate, ctx, claims) {
      if (ctx.options.answer === "deny" || (fate !== "sent" && fate !== "observed")) return;
      for (const file of realPaths(event, ctx)) {
        if (claims.of(file, ctx.now()) && !claims.wasTold(file, event.session)) claims.markTold(file, event.session);
      }
    },
  },
});

function shown({ machine, agent, session }: FleetClaim) {
  return { machine, agent, session: session.slice(0, SHOWN_SESSION) };
}

function realPaths(
  event: EventOf<"tool.before">,
  ctx: { readonly looked: { realPath(file: string): string } },
): string[] {
  return event.writes.map((file) => ctx.looked.realPath(file));
}
