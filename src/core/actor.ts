import path from "node:path";
import type { AnyEvent } from "./event.ts";
import type { Facts } from "./facts.ts";
import type { Ports } from "./ports.ts";

/** Who caused an event. */
export interface Actor {
  readonly session: string;
  readonly thread: "main" | "subagent";
  /** The git root of the event's directory (the main checkout for worktrees), else the directory itself. */
  readonly project: string;
  /** The tmux pane the agent runs in, if any. */
  readonly pane: string;
  /** The process of the agent; 0 when it is not known. */
  readonly pid: number;
}

/** The part of a frame that tells who sent it. */
export interface Sender {
  readonly env: Readonly<Record<string, string>>;
  readonly ppid: number;
}

export function actorOf(event: AnyEvent, { env, ppid }: Sender, facts: Facts, ports: Ports): Actor {
  return {
    session: event.session,
    thread: event.agentId === "" ? "main" : "subagent",
    project: facts.read(`project:${event.cwd}`, () => projectRoot(event.cwd, ports)),
    pane: env.TMUX_PANE ?? "",
    pid: Number(env.CLAUDE_PID) || ppid,
  };
}

export function projectRoot(cwd: string, ports: Pick<Ports, "kind" | "readText">): string {
  if (!path.isAbsolute(cwd) || cwd.includes("\0")) return "/";
  for (let dir = path.normalize(cwd); ; dir = path.dirname(dir)) {
    const git = path.join(dir, ".git");
    const kind = ports.kind(git);
    if (kind === "directory") return dir;
    if (kind === "file") return mainCheckout(git, dir, ports);
    if (dir === path.dirname(dir)) return path.normalize(cwd);
  }
}

/** A worktree's `.git` is a file that points into the main checkout's `.git/worktrees/<name>`. */
function mainCheckout(gitFile: string, dir: string, ports: Pick<Ports, "readText">): string {
  const target = ports.readText(gitFile, 4096)?.match(/^gitdir: (.+)$/m)?.[1];
  if (target === undefined) return dir;
  const gitDir = path.resolve(dir, target);
  const common = ports.readText(path.join(gitDir, "commondir"), 4096)?.trim();
  if (common === undefined) return dir;
  const commonDir = path.resolve(gitDir, common);
  return path.basename(commonDir) === ".git" ? path.dirname(commonDir) : dir;
}
