import path from "node:path";
import type { Ports } from "../../core/ports.ts";
import { below, linkedWorktree } from "../claims/file-names.ts";
import { foldersUpTo } from "../touched/visited-folders.ts";
import { findProgram } from "./find-program.ts";
import { type CheckOrder, isOwnSource } from "./order.ts";
import { type ProgramEnd, runProgram } from "./run-program.ts";
import { type CodeTool, toolsFor } from "./tools.ts";

type Look = Pick<Ports, "info" | "realPath" | "readText">;
type Env = Readonly<Record<string, string | undefined>>;

/** Two tools have to end within the lease of a job. */
const TOOL_MS = 20_000;
const LARGEST_LINK = 4_096;
const MOST_LINES = 12;
const MOST_TOLD = 800;
/** What the tools need of the environment of the hook. */
const KEPT_ENV = /^(?:PATH|HOME|TMPDIR|LANG|XDG_\w+)$/;
const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*[A-Za-z]`, "g");

/** The project, or the linked worktree that both the file and the agent are in; undefined outside of them. */
function rootOf(file: string, { project, cwd }: CheckOrder, ports: Look): string | undefined {
  const root = ports.realPath(project);
  if (below(root, file) !== undefined) return root;
  const linked = linkedWorktree(file, {
    info: ports.info,
    read: {
      text: (name, _about, digest, most = LARGEST_LINK) => {
        const text = ports.readText(name, most);
        return text === undefined ? undefined : digest(text);
      },
    },
  });
  return linked !== undefined && below(linked, ports.realPath(cwd)) !== undefined ? linked : undefined;
}

/** Formats and checks the file. Returns what failed, for the agent; empty when nothing did. */
export async function checkFile(order: CheckOrder, ports: Look, env: Env, toolMs = TOOL_MS): Promise<string> {
  // A link may lead out of the project, or the file may be gone by now.
  const file = ports.realPath(order.file);
  const root = rootOf(file, order, ports);
  const name = root === undefined ? undefined : below(root, file);
  if (root === undefined || name === undefined || !isOwnSource(name) || ports.info(file)?.kind !== "file") return "";
  const folders = foldersUpTo(root, path.dirname(file));
  const kept = Object.entries(env).filter((entry): entry is [string, string] => KEPT_ENV.test(entry[0]) && !!entry[1]);
  const given = { ...Object.fromEntries(kept), NO_COLOR: "1", CI: "true" };
  const failures: string[] = [];
  for (const tool of toolsFor(file, order)) {
    const program = findProgram(tool, folders, env.PATH ?? "", ports);
    const isPossible =
      tool.needs === undefined || folders.some((folder) => ports.info(path.join(folder, tool.needs ?? "")));
    if (program === undefined || !isPossible) continue;
    const run = { cwd: path.dirname(file), env: given, ms: toolMs };
    const { how, output } = await runProgram(program, tool.args(file), run);
    if (how === 0 || how === "missing" || tool.isUnused?.test(output)) continue;
    const said = how === "late" ? `did not end within ${toolMs / 1_000} seconds` : endText(how);
    failures.push(failureText(tool, name, said, shortened(output, root)));
  }
  return failures.join("\n\n");
}

function endText(how: ProgramEnd["how"]): string {
  return typeof how === "number" ? `failed with exit code ${how}` : `was ended by ${how}`;
}

function failureText({ name: tool }: CodeTool, file: string, what: string, output: string): string {
  return `${tool} ${what} for ${file}${output === "" ? "." : `:\n${output}`}`;
}

/** The first lines, with names relative to the project. */
function shortened(output: string, root: string): string {
  const lines = output.replace(ESCAPES, "").replaceAll(`${root}/`, "").trim().split("\n");
  const text = lines.slice(0, MOST_LINES).join("\n");
  const isCut = lines.length > MOST_LINES || text.length > MOST_TOLD;
  return text.slice(0, MOST_TOLD).toWellFormed() + (isCut ? "\n[…]" : "");
}
