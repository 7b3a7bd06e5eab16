import { isProfile, PROFILES, type ProfileName } from "../../core/settings/profiles.ts";

/** The arguments of `hookwright hook`, as the client passed them on. */
export interface HookArguments {
  readonly agent: string;
  /** The agent's own event name, given by the registration; empty when it was not. */
  readonly event: string;
  readonly profiles: readonly ProfileName[] | undefined;
  readonly reply: "exit" | "json";
  /** Which registration called us (user, project, …); empty for a call by hand. */
  readonly via: string;
  /** For how long the agent waits at this event, in milliseconds; 0 where it waits no longer than usual. */
  readonly waitMs: number;
  /** A plugin brings its own profiles to whatever else is installed, and nothing but these. */
  readonly isSupplement: boolean;
}

/** The `--via` of a plugin. Several registrations report the same event; a plugin is decided beside the others. */
const PLUGIN = "plugin";

const VALUED = new Set(["--agent", "--event", "--profile", "--reply", "--via", "--deadline-ms", "--wait-ms"]);

/** Returns a sentence instead when the arguments are wrong. */
export function parseHookArguments(args: readonly string[]): HookArguments | string {
  const given: Record<string, string> = {};
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (arg === "--no-daemon") continue;
    const equals = arg.indexOf("=");
    const name = equals > 0 ? arg.slice(0, equals) : arg;
    if (!VALUED.has(name)) return `unknown argument \`${arg}\``;
    const value = equals > 0 ? arg.slice(equals + 1) : args[++i];
    if (value === undefined || value === "") return `\`${name}\` needs a value`;
    given[name] = value;
  }
  const reply = given["--reply"] ?? "exit";
  if (reply !== "exit" && reply !== "json") return `\`--reply\` takes exit or json, not \`${reply}\``;
  const wrongNumber = ["--deadline-ms", "--wait-ms"].find((name) => !/^\d+$/.test(given[name] ?? "0"));
  if (wrongNumber) return `\`${wrongNumber}\` takes a whole number, not \`${given[wrongNumber]}\``;
  const profiles = given["--profile"]?.split(",").filter((name) => name !== "");
  const wrong = profiles?.find((name) => !isProfile(name));
  if (wrong !== undefined) return `the profile \`${wrong}\` is not known; known: ${PROFILES.join(", ")}`;
  return {
    agent: given["--agent"] ?? "claude-code",
    event: given["--event"] ?? "",
    profiles: profiles?.filter(isProfile),
    reply,
    via: given["--via"] === PLUGIN ? "" : (given["--via"] ?? ""),
    waitMs: Number(given["--wait-ms"] ?? 0),
    isSupplement: given["--via"] === PLUGIN,
  };
}
