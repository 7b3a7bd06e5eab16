import type { Command } from "../shell/command.ts";
import type { Shell } from "../shell/shell.ts";

/**
 * Programs that steer the work instead of doing it; only by their bare name, never a file of that name somewhere. The one
 * file that counts is our own `engine`, which gates name to agents whose PATH has none.
 */
const STEERING = new Set(["engine", "hookwright", "atm"]);
/** Parts of a line that change nothing: they feed or frame the command that matters. */
const NEUTRAL = new Set(["cd", "echo", "printf", "true", ":"]);
const HARMLESS_TARGETS = new Set(["/dev/null", "/dev/stdout", "/dev/stderr"]);

/**
 * Is this line nothing but control-plane commands? Gates that wait for such a command must let it pass; a line with any
 * other part does not. `engine` is where our own one lies; `only` narrows it to some.
 */
export function isControlPlane(
  shell: Shell,
  engine: string,
  only: (command: Command) => boolean = () => true,
): boolean {
  if (shell.unreadable !== undefined) return false;
  const parts = shell.commands.filter((command) => !isNeutral(command));
  return parts.length > 0 && parts.every((command) => isSteering(command, engine) && isPlain(command) && only(command));
}

/** `engine log …` or `engine session …` as the first words. */
export function engineWord(command: Command): string {
  const word = command.args[0] ?? "";
  // `hookwright session log` is the long form of `engine log`.
  if (command.program === "hookwright" && word === "session") {
    const second = command.args[1] ?? "";
    return second === "log" || second === "tag" ? second : "session";
  }
  return word;
}

export const isEngine = ({ program }: Command): boolean => program === "engine" || program === "hookwright";

function isSteering({ argv, program, args }: Command, engine: string): boolean {
  if (!argv[0]?.known) return false;
  if (argv[0].text === engine) return true;
  if (argv[0].text !== program) return false;
  if (STEERING.has(program)) return true;
  return program === "ntm" && (args[0] === "save" || args[0]?.startsWith("--robot-") === true);
}

/** Nothing around it that does more than it says: no variables set, nothing written, on this machine. */
export function isPlain({ assignments, redirections, remote, uncertain }: Command): boolean {
  return (
    assignments.length === 0 &&
    !remote &&
    !uncertain.includes("alias") &&
    !uncertain.includes("program") &&
    redirections.every(isHarmless)
  );
}

function isHarmless({ operator, target, body }: Command["redirections"][number]): boolean {
  if (body !== undefined || operator === "<" || operator === "<&") return true;
  if (operator === ">&" && /^[0-9-]+$/.test(target?.text ?? "")) return true;
  return target?.known === true && HARMLESS_TARGETS.has(target.text);
}

function isNeutral(command: Command): boolean {
  const { program, args } = command;
  const isFeeding = NEUTRAL.has(program ?? "") || (program === "cat" && args.length === 0);
  return isFeeding && isPlain(command) && command.argv[0]?.text === program;
}
