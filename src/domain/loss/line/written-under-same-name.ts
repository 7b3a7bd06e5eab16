import type { Effect } from "../../../effects/effect.ts";
import { lineIndex } from "../../../effects/line/line-index.ts";
import type { Command, Word } from "../../../shell/command.ts";
import type { Shell } from "../../../shell/shell.ts";

const MOVES = new Set(["cd", "pushd", "popd", "source", ".", "eval"]);
const OUTPUT = /^(?:-\w*[oO]|--output(?:-document)?)$/;

/**
 * `curl -o "$f" … && rm "$f"`: the path is unknown, but it is the same text as the target of an earlier command, and no
 * command in between changes what the text means. So the line only deletes what it wrote itself.
 */
export function isWrittenUnderSameName({ target, path, inside, by }: Effect, shell: Shell): boolean {
  if (path !== undefined || inside !== undefined || by.remote || target === "") return false;
  const { commands, loops } = shell;
  const end = lineIndex(shell).positions.get(by) ?? 0;
  const names = [...target.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name = ""]) => name);
  if (/\$\(|`|[*?]/.test(target) || names.some((name) => loops.has(name))) return false;
  for (let at = end - 1; at >= 0; at--) {
    const command = commands[at] as Command;
    if (changes(command, names)) return false;
    if (!command.remote && writtenBy(command).some(({ text }) => plain(text) === plain(target))) return true;
  }
  return false;
}

function plain(text: string): string {
  return text
    .replaceAll('"', "")
    .replaceAll(/\$\{(\w+)\}(?!\w)/g, "$$$1")
    .replace(/^\.\//, "");
}

function changes({ program = "", assignments, argv }: Command, names: readonly string[]): boolean {
  if (MOVES.has(program) || assignments.some(({ name }) => names.includes(name))) return true;
  return /^(?:read|export|declare|local|readonly|unset|mapfile|readarray)$/.test(program)
    ? argv.some(({ text }) => names.some((name) => text === name || text.startsWith(`${name}=`)))
    : false;
}

function writtenBy({ program = "", argv, redirections }: Command): readonly Word[] {
  const opened = redirections.flatMap(({ operator, target }) =>
    target && /^(?:>|>\||&>)$/.test(operator) ? target : [],
  );
  const told = argv.filter((_, at) => OUTPUT.test(argv[at - 1]?.text ?? "") && /^(?:curl|wget)$/.test(program));
  return [...opened, ...told, ...(program === "tee" ? argv.slice(1) : [])];
}
