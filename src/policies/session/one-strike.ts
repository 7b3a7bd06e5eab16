import type { EventOf } from "../../core/event.ts";
import { type PolicyContext, policy } from "../../core/policy.ts";
import { isRoot } from "../../domain/loss/harmless.ts";
import { strikes } from "../../domain/loss/store.ts";
import { STRIKE_CLASSES, type Strike, strikeOf } from "../../domain/loss/strike-classes.ts";
import { effectsOfEvent } from "../../effects/effects-of-event.ts";
import { shellOf } from "../../effects/shell-of-event.ts";

const MINUTE = 60_000;
const GUARD = "safety/destructive-command";
const ON_FILES = new Set(["delete-tree", "delete-file"]);

const ON_RETRY = {
  alone: "the same kind of command passes when it is tried again",
  guarded: `try it again: then \`${GUARD}\` decides`,
};

interface Options {
  readonly scope: "class" | "target";
  readonly minutes: number;
}
type Context = PolicyContext<"warning" | "root" | "unreadable", Options>;

export default policy({
  id: "session/one-strike",
  summary: "Denies the first destructive command of each class, and lets the retry pass.",
  why: "Most such commands are run out of habit; one warning to check first is enough, and a denial each time would only disturb.",
  origin: "workflow engine",
  stage: "destructive",
  filter: { kinds: ["shell"] },
  options: (z) =>
    z.object({
      scope: z
        .enum(["class", "target"])
        .default("class")
        .describe("Whether one warning counts for the whole class of commands, or only for what it was about.")
        .meta({ tighter: "up", order: ["class", "target"] }),
      minutes: z.number().min(1).default(720).describe("How long a warning counts.").meta({ tighter: "down" }),
    }),
  messages: {
    warning: "{what}. What it deletes or replaces cannot be restored. First {first}. If you still want it, {retry}.",
    root: "`rm` would delete a system folder, the home folder or the folder that contains the project. The path is {target}. Delete single files or folders inside it instead, each by its path.",
    unreadable:
      "This command could not be parsed ({why}), so its effects are not known. Write it in a simpler form or in several calls.",
  },
  examples: {
    hit: ["`rm -rf old`", "`git reset HEAD~1 --hard`", "`git stash pop`", "`git clean -d -f`"],
    pass: [
      "`rm notes.txt`",
      "`git push origin my-feature`",
      "`git stash list`",
      "`git checkout .gitignore`",
      "the same class again",
    ],
  },
  reads: { env: ["CLAUDE_SUPERVISOR_PID"] },
  uses: strikes,
  on: {
    "tool.before"(event, ctx, store) {
      const shell = shellOf(event, ctx.places.userHome);
      if (shell.unreadable !== undefined) {
        const mayStrike = /\b(?:rm|git)\b/.test(String(event.tool.input.command));
        return mayStrike ? ctx.ask("unreadable", { why: shell.unreadable }) : undefined;
      }
      const found = strikesIn(event, ctx.places.userHome);
      if (found.length === 0) return undefined;
      const root = rootHit(event, ctx);
      if (root !== undefined) return ctx.deny("root", { target: root });
      const fresh = found.filter((strike) => {
        const at = store.at(keyOf(strike, event.agentId, ctx));
        return at === undefined || ctx.now() - at > ctx.options.minutes * MINUTE;
      });
      const [first] = fresh;
      if (!first) return undefined;
      const what = [...new Set(fresh.map((one) => `\`${nameOf(one)}\` ${STRIKE_CLASSES[one.class].what}`))].join("; ");
      const retry = ctx.isEnforced(GUARD) ? ON_RETRY.guarded : ON_RETRY.alone;
      return ctx.deny("warning", { what, first: STRIKE_CLASSES[first.class].first, retry }, "once");
    },
  },
  settled: {
    "tool.before"(event, fate, ctx, store) {
      if (fate !== "sent" || !ctx.said("warning")) return;
      for (const strike of strikesIn(event, ctx.places.userHome))
        store.keep(keyOf(strike, event.agentId, ctx), ctx.now());
    },
  },
});

function strikesIn(event: EventOf<"tool.before">, userHome: string): Strike[] {
  return shellOf(event, userHome)
    .commands.map(strikeOf)
    .filter((strike) => strike !== undefined);
}

/**
 * A warning counts for the agent that got it, not for its subagents. Sessions that one supervisor starts share their
 * warnings.
 */
function keyOf(
  { class: kind, target }: Strike,
  agentId: string,
  ctx: { readonly options: Options; env(name: string): string | undefined },
): string {
  const whose = ctx.env("CLAUDE_SUPERVISOR_PID") ?? "";
  const who = agentId === "" ? whose : `${whose}/${agentId}`;
  return `${who}:${kind}${ctx.options.scope === "target" ? `:${target}` : ""}`;
}

const nameOf = ({ class: kind }: Strike): string => (kind === "rm" ? "rm" : `git ${kind}`);

/** The system folder, home folder or folder around the project that the command would delete. */
function rootHit(event: EventOf<"tool.before">, ctx: Context): string | undefined {
  const { userHome, tempDir } = ctx.places;
  const folderContext = { cwd: event.cwd, project: ctx.actor.project, userHome, tempDir, folders: [] };
  const hit = effectsOfEvent(event, userHome).find(({ kind, path, inside, by }) => {
    const whole = path ?? inside;
    return ON_FILES.has(kind) && whole !== undefined && !by.remote && isRoot(whole, folderContext);
  });
  return hit?.target;
}
