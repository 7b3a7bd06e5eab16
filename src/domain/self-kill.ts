import type { AnyEvent } from "../core/event.ts";
import { lineOf, shellOf } from "../effects/shell-of-event.ts";
import { readOptions } from "../shell/options.ts";

const OPTIONS = {
  short: "0123456789cefilnovwxHADEKLMNOQRSTVXZd:F:g:G:P:r:s:t:u:U:",
  long: "signal: exact full ignore-case newest oldest inverse count echo list-name list-full delimiter: euid: uid: group: pgroup: session: terminal: parent: pidfile: ns: nslist: runstates: older:",
};
/** A pattern with such a character does not match its own text. */
const MATCHES_ITSELF = /^[^[\]\\^$+?{}()]+$/;

/**
 * The pattern of a `pkill -f` in this line that matches the line itself, and so ends the shell that runs it. Undefined
 * when there is none. A command in a script that the line runs is not part of the shell's own command line.
 */
export function selfKillPattern(event: AnyEvent, userHome: string): string | undefined {
  const line = lineOf(event) ?? "";
  if (!line.includes("pkill")) return undefined;
  for (const { program, argv } of shellOf(event, userHome).commands) {
    if (program !== "pkill") continue;
    const { given, operands } = readOptions(argv.slice(1), OPTIONS, true);
    const isFull = given.has("f") || given.has("full");
    const isNarrow = ["x", "exact", "P", "parent", "n", "newest", "F", "pidfile"].some((name) => given.has(name));
    const pattern = operands[0];
    if (!isFull || isNarrow || !pattern?.known) continue;
    if (line.includes(pattern.text) && MATCHES_ITSELF.test(pattern.text)) return pattern.text;
  }
  return undefined;
}
