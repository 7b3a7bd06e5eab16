import type { Word } from "../command.ts";
import { type OptionReading, type OptionSpec, readOptions } from "../options.ts";

/** The options between a tool and its subcommand. */
interface ToolOptions extends OptionSpec {
  /** Options with which it runs in every package, or in a package by its name. */
  readonly everywhere?: string;
}

const TOOLS: Readonly<Record<string, ToolOptions>> = {
  npm: {
    short: "w:C:",
    long: "prefix: workspace: workspaces registry: loglevel: silent offline",
    everywhere: "w workspace workspaces",
  },
  pnpm: {
    short: "rwC:F:",
    long: "recursive workspace-root dir: filter: parallel stream silent workspace-concurrency: reporter:",
    everywhere: "r recursive F filter",
  },
  yarn: { long: "cwd: silent" },
  poetry: { short: "C:P:", long: "directory: project:" },
  uv: { short: "qv", long: "directory: project: quiet offline" },
  mise: { short: "C:", long: "cd:" },
  doppler: { short: "p:c:t:", long: "project: config: token: scope:" },
};
const FOREACH: OptionSpec = {
  short: "AWRaiptvj:",
  long: "all worktree recursive from: since:: include: exclude: jobs: parallel interlaced topological topological-dev verbose no-private dry-run",
};

export interface WorkspaceCommand {
  /** The subcommand and what follows it. */
  readonly words: readonly Word[];
  /** It runs in folders that the line does not name. */
  readonly everywhere: boolean;
}

/** `pnpm -r exec x`, `yarn workspaces foreach -A exec x`: the subcommand and its words, without options before it. */
export function workspaceCommand(program: string, args: readonly Word[]): WorkspaceCommand {
  const before = Object.hasOwn(TOOLS, program) ? TOOLS[program] : undefined;
  if (!before || !/^(?:-|workspaces?$|recursive$|m(?:ulti)?$)/.test(args[0]?.text ?? ""))
    return { words: args, everywhere: false };
  const reading: OptionReading = readOptions(args, before, false);
  const { operands } = reading;
  const everywhere = before.everywhere?.split(" ").some((name) => reading.given.has(name)) ?? false;
  const [first, second] = operands.map((word) => word.text);
  if (program === "yarn" && first === "workspace") return { words: operands.slice(2), everywhere: true };
  if (program === "yarn" && first === "workspaces" && second === "foreach")
    return { words: withoutDash(readOptions(operands.slice(2), FOREACH, false)), everywhere: true };
  if (program === "pnpm" && /^(?:recursive|multi|m)$/.test(first ?? ""))
    return { words: operands.slice(1), everywhere: true };
  return { words: operands, everywhere };
}

function withoutDash({ given, operands }: OptionReading): readonly Word[] {
  return given.has("dry-run") ? [] : operands;
}
