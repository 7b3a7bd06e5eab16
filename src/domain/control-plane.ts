import type { Command } from "../shell/command.ts";
import type { Shell } from "../shell/shell.ts";

/**
 * Control programs, which direct the work instead of doing it. They count only by their bare name, not as a path to some
 * file. The exception is our own `engine`: gates give its full path to agents that do not have it on their PATH.
 */
const CONTROL_PROGRAMS = new Set(["engine", "hookwright", "atm"]);
/** Commands that change nothing and often accompany the command that matters. */
const NEUTRAL = new Set(["cd", "echo", "printf", "true", ":"]);
const HARMLESS_TARGETS = new Set(["/dev/null", "/dev/stdout", "/dev/stderr"]);

/**
 * Does this line consist of control-plane commands only? Gates that wait for such a command must let it pass. `engine` is
 * the full path of our own engine; `only` restricts which control commands count.
 */
export function isControlPlane(
  shell: Shell,
  engine: string,
  only: (command: Command) => boolean = () => true,
): boolean {
  if (shell.unreadable !== undefined) return false;
  const parts = shell.commands.filter((command) => !isNeutral(command));
  return (
    parts.length > 0 && parts.every((command) => isControlCommand(command, engine) && isPlain(command) && only(command))
  );
}

/** The subcommand: `log` in `engine log …`. */
export function engineSubcommand(command: Command): string {
  const word = command.args[0] ?? "";
  // `hookwright session log` is the long form of `engine log`.
  if (command.program === "hookwright" && word === "session") {
    const second = command.args[1] ?? "";
    return second === "log" || second === "tag" ? second : "session";
  }
  return word;
}

export const isEngine = ({ program }: Command): boolean => program === "engine" || program === "hookwright";

function isControlCommand({ argv, program, args }: Command, engine: string): boolean {
  if (!argv[0]?.known) return false;
  if (argv[0].text === engine) return true;
  if (argv[0].text !== program) return false;
  if (CONTROL_PROGRAMS.has(program)) return true;
  return program === "ntm" && (args[0] === "save" || args[0]?.startsWith("--robot-") === true);
}

/** The command has no side effects around it: no variables set, nothing written, not on another machine. */
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
