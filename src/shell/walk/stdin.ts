import type { MutableCommand, Word } from "../command.ts";
import type { Context } from "../expand/context.ts";
import { hereText } from "../expand/output.ts";
import { SHELLS } from "../launch/launchers.ts";
import type { Reader } from "./reader.ts";

/** The text that a command reads, undefined when it reads none. */
export function stdinOf({ scripts }: Reader, draft: MutableCommand, context: Context): Word | undefined {
  const reads = draft.redirections.filter(({ fd, operator }) => (fd ?? 0) === 0 && operator.startsWith("<"));
  if (reads.length === 0) return context.stdin;
  const [only, more] = reads;
  const target = more === undefined ? only?.target : undefined;
  const file = SHELLS.has(draft.program ?? "") ? scripts.start(target, draft) : scripts.textOf(target, draft.cwd);
  return hereText(draft) ?? file ?? { text: "", known: false };
}
