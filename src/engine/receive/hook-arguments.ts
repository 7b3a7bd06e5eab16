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
  /** A plugin brings its own profiles to whatever else is installed, and nothing but these. */
  readonly isSupplement: boolean;
}

/** The `--via` of a plugin. Several registrations report the same event; a plugin is decided beside the others. */
const PLUGIN = "plugin";

const VALUED = new Set(["--agent", "--event", "--profile", "--reply", "--via", "--deadline-ms"]);

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
  const wait = given["--deadline-ms"];
  if (wait !== undefined && !/^\d+$/.test(wait)) return `\`--deadline-ms\` takes a whole number, not \`${wait}\``;
  const profiles = given["--profile"]?.split(",").filter((name) => name !== "");
  const wrong = profiles?.find((name) => !isProfile(name));
  if (wrong !== undefined) return `the profile \`${wrong}\` is not known; known: ${PROFILES.join(", ")}`;
  return {
    agent: given["--agent"] ?? "claude-code",
    event: given["--event"] ?? "",
    profiles: profiles?.filter(isProfile),
    reply,
    via: given["--via"] === PLUGIN ? "" : (given["--via"] ?? ""),
    isSupplement: given["--via"] === PLUGIN,
  };
}
