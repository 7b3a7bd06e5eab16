import type { Command } from "../../shell/command.ts";
import type { Shell } from "../../shell/shell.ts";

/** Programs that print what they read. */
const PRINTING_PROGRAMS: ReadonlySet<string> = new Set(
  `cat tac head tail less more most bat batcat nl rev sort uniq tr grep egrep fgrep rg ag sed awk gawk cut strings xxd
   hexdump od base64 base32 fold paste column jq yq pv tee gzip fmt expand type Get-Content gc`.split(/\s+/),
);
const SPEAKS = /^(?:echo|printf|print)$/;
/** Options with which grep prints only names, a count or nothing. */
const COUNTS = /^-[a-zA-Z]*[cqlL][a-zA-Z]*$|^--(?:count|quiet|silent|files-with(?:out)?-match(?:es)?)$/;

/** Does the program print what it reads, so that a value in it becomes visible? */
export function printsInput({ program = "", args }: Command): boolean {
  if (!PRINTING_PROGRAMS.has(program)) return false;
  const given = args.map((arg) => arg ?? "");
  if (/^(?:e|f)?grep$|^rg$|^ag$/.test(program)) return !given.some((arg) => COUNTS.test(arg));
  if (program === "cut") return !(given.join(" ").match(/-d\s?['"]?=/) && given.join(" ").match(/-f\s?1(?![\d,-])/));
  if (program === "sed")
    return !given.some((arg) => /^s(.)=\.\*\1[^a-z]*\1?[gp]*$/.test(arg) || /s(.)=\.\*\1\1/.test(arg));
  if (/^g?awk$/.test(program))
    return !(given.some((arg) => /^-F=?$|^-F['"]?=/.test(arg)) && /print \$1\s*\}/.test(given.join(" ")));
  return true;
}

/** Does the output of a command reach the agent: not redirected to a file, not consumed by another program? */
export function isOutputVisible(command: Command, shell: Shell, depth = 0): boolean {
  if (
    command.redirections.some(
      ({ operator, fd }) => /^(?:&?>>?|>\||>&)$/.test(operator) && (fd === undefined || fd === 1),
    )
  )
    return false;
  if (depth > 20) return true;
  const next = shell.commands.find(({ upstream }) => upstream.includes(command));
  if (next) return (printsInput(next) || SPEAKS.test(next.program ?? "")) && isOutputVisible(next, shell, depth + 1);
  if (!command.within.some((scope) => scope === "substitution" || scope === "process-substitution")) return true;
  const outer = shell.commands.find(({ inner }) => inner.includes(command));
  return outer !== undefined && SPEAKS.test(outer.program ?? "") && isOutputVisible(outer, shell, depth + 1);
}

export function isEcho({ program = "" }: Command): boolean {
  return SPEAKS.test(program);
}
