import type { Command } from "../../../shell/command.ts";
import type { Shell } from "../../../shell/shell.ts";

/** Programs that hardly ever fail. When one of the last four does, the shell says so. */
const QUIET = new Set("echo printf export set true : pwd date unset alias ulimit umask cd pushd source .".split(" "));
/** Programs that hardly ever fail when they read what another one writes. */
const READERS = new Set("tee tail cat".split(" "));
const SHELL_SAYS = /^(?:\S*sh:|\(eval\):|cd:)[^\n]*no such file or directory/im;
/** Where the exit status of a command does not end a line that failed. */
const HIDING: ReadonlySet<string> = new Set(
  "condition loop case substitution process-substitution arithmetic coproc trap".split(" "),
);

/** The line has failed, and nothing else on it can be the reason. */
export function surelyFailed(shell: Shell, isCheck: (one: Command) => boolean, error: string): boolean {
  const { commands } = shell;
  const checks = commands.filter(
    (one) => isCheck(one) && !one.remote && !one.negated && !one.background && one.uncertain.length === 0,
  );
  const hasPipefail = commands.some(({ program, args }) => program === "set" && args.includes("pipefail"));
  const isHidden = (check: Command): boolean =>
    check.within.some((scope) => HIDING.has(scope)) ||
    (!hasPipefail && commands.some(({ upstream }) => upstream.includes(check)));
  if (checks.length === 0 || checks.some(isHidden) || SHELL_SAYS.test(error)) return false;
  return commands.every((one) => {
    const isPart = checks.some((check) => isWithin(check, one) || isWithin(one, check));
    return isPart || isQuiet(one);
  });
}

function isQuiet({ program, upstream }: Command): boolean {
  if (program === undefined) return false;
  return program === "" || QUIET.has(program) || (upstream.length > 0 && READERS.has(program));
}

/** Is `inner` this command, or was it started by it? */
function isWithin(inner: Command, outer: Command): boolean {
  for (let at: Command | undefined = inner; at; at = at.via) if (at === outer) return true;
  return false;
}
