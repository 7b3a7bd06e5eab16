import type { EventOf } from "../../core/event.ts";
import { shellOf } from "../../effects/shell-of-event.ts";
import { knownText } from "../../shell/command.ts";

/**
 * Characters that mean nothing to a shell but quotes, and `^` and `~` as git's revisions have them. Everything else is
 * refused even inside of quotes: the agent's shell may be another one than bash.
 */
const PLAIN = /^[\p{L}\p{N} _\-./:=,@%+^~'"]+$/u;
/** `HEAD~1`, and not the home folder of somebody. */
const TILDE_ELSEWHERE = /(?<![\p{L}\p{N}_^~])~|~(?![\d^~. ]|$)/u;

/** Beside these, an input may only say that it wants nothing special, such as to run outside of a sandbox. */
const USUAL = ["command", "description", "timeout"];

/**
 * The words of a call that runs one simple command and nothing else: no second command, redirection, substitution,
 * variable or launcher. Undefined for every other call.
 */
export function plainCommand(event: EventOf<"permission.request">, userHome: string): readonly string[] | undefined {
  const { name, input } = event.tool;
  const given = name === "Bash" ? input.command : undefined;
  if (typeof given !== "string") return undefined;
  if (!Object.entries(input).every(([key, value]) => USUAL.includes(key) || value === false)) return undefined;
  const line = given.replace(/^[ \n]+|[ \n]+$/g, "");
  if (!PLAIN.test(line) || TILDE_ELSEWHERE.test(line)) return undefined;
  const { commands } = shellOf(event, userHome);
  const [command, ...others] = commands;
  if (others.length > 0) return undefined;
  const argv = command?.argv ?? [];
  const words = argv.flatMap((word) => knownText(word) ?? []);
  const areKnown = words.length === argv.length;
  // Words such as `time` and assignments stand before the command.
  return areKnown && `${line} `.startsWith(`${words[0]} `) ? words : undefined;
}
