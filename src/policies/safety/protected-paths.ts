import path from "node:path";
import { type PolicyContext, policy } from "../../core/policy.ts";

const KEY_STORES = [".ssh", ".gnupg", ".aws/credentials", ".netrc", ".pgpass", ".kube/config"];
const PRIVATE_KEY = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/;
/** A project's configuration, found by walking up from the working directory. */
const PROJECT_CONFIG = "hookwright.yml";

type Reason = "own" | "git" | "key" | "listed";

export default policy({
  id: "safety/protected-paths",
  summary: "Keeps an agent's edits away from the guard itself, git's internals and private keys.",
  why: "An agent that may rewrite the settings that call its guard is not guarded, and one wrong write inside .git or a key store cannot be taken back.",
  stage: "security",
  filter: { kinds: ["edit"] },
  options: (z) =>
    z.object({
      also: z
        .array(z.string().min(1))
        .default([])
        .describe("More files or folders to protect, absolute or relative to the project.")
        .meta({ tighter: "union" }),
    }),
  messages: {
    own: "{path} belongs to the guard that watches this session, so a tool may not change it. If it has to change, tell the person what to change and why.",
    git: "{path} is inside git's own storage, where a wrong byte loses history. Use git commands instead of editing it.",
    key: "{path} is a private key or credential store. Tell the person what you need there; they change it themselves.",
    listed:
      "{path} is on the list of protected paths of this setup. Ask the person to change it or to take it off the list.",
  },
  examples: {
    hit: ["Write ~/.claude/settings.json", "Edit hookwright.yml", "Edit .git/config", "Write ~/.ssh/authorized_keys"],
    pass: ["Write src/settings.json", "Edit .gitignore", "Edit docs/hookwright.yml.md"],
  },
  on: {
    "tool.before"(event, ctx) {
      for (const target of event.writes) {
        // As it is written first: that needs no look at the disk, and a link may only add to what is protected.
        const reason = reasonToProtect(target, ctx, (place) => place) ?? reasonBehindLinks(target, ctx);
        if (reason) return ctx.deny(reason, { path: target });
      }
      return undefined;
    },
  },
});

type Context = PolicyContext<Reason, { also: string[] }>;

function reasonBehindLinks(target: string, ctx: Context): Reason | undefined {
  const real = ctx.realPath(target);
  return reasonToProtect(real, ctx, (place) => place) ?? reasonToProtect(real, ctx, (place) => ctx.realPath(place));
}

function reasonToProtect(target: string, ctx: Context, resolve: (place: string) => string): Reason | undefined {
  const { places } = ctx;
  const isAt = (place: string): boolean => isWithin(target, resolve(place));
  const own = [places.home, places.runtimeDir, places.personConfig, ...places.agentSettings];
  if (path.basename(target) === PROJECT_CONFIG || own.some(isAt)) return "own";
  if (target.split(path.sep).includes(".git")) return "git";
  if (PRIVATE_KEY.test(path.basename(target))) return "key";
  if (KEY_STORES.some((store) => isAt(path.join(places.userHome, store)))) return "key";
  if (ctx.options.also.some((place) => isAt(path.resolve(ctx.actor.project, place)))) return "listed";
  return undefined;
}

function isWithin(target: string, place: string): boolean {
  return target === place || target.startsWith(place.endsWith(path.sep) ? place : place + path.sep);
}
