import path from "node:path";
import type { AnyEvent, EventOf } from "../../core/event.ts";
import type { PolicyContext } from "../../core/policy.ts";
import { writtenTargets } from "../claims/written-targets.ts";
import { isCallersFile } from "./callers-files.ts";
import { type JudgedWrite, judgedWrite } from "./judged-write.ts";
import { type FileLevel, type Level, levelIn, levelOf } from "./level.ts";

const LARGEST_CONFIG = 256 * 1024;

/** What a session was told or has found out once. */
export const SAID = { delegate: "delegation", unusable: "config", worker: "worker" } as const;

/** What a call of the main agent writes, and how strictly such writes are left to subagents. */
export interface JudgedCall extends JudgedWrite {
  readonly level: Level;
  /** What is to be said about it now. */
  readonly says: "delegate" | "strict" | undefined;
  /** Files of oh-my-claudecode's configuration that cannot be used, and of which the person is still to be told. */
  readonly unusable: readonly string[];
  /** The agent is a worker of a fleet, to whom others have delegated the work. */
  readonly isWorker: boolean;
}

/** Judged before the call is decided and needed again when it is recorded. */
const judged = new WeakMap<AnyEvent, JudgedCall>();

export function judgedCall(event: AnyEvent): JudgedCall | undefined {
  return judged.get(event);
}

/** Undefined for a call that writes nothing, or whose agent others have delegated work to. */
export async function judgeCall(
  event: EventOf<"tool.before">,
  ctx: PolicyContext,
  option: Level,
  said: readonly string[],
): Promise<JudgedCall | undefined> {
  judged.delete(event);
  const isDelegated = event.agentId !== "" || typeof event.raw.teammate_name === "string" || said.includes(SAID.worker);
  const isReminded = said.includes(SAID.delegate);
  // After the reminder a command is looked at only where it could be denied.
  if (isDelegated || (event.tool.kind === "shell" && option !== "strict" && isReminded)) return undefined;
  const write = delegableWrite(event, ctx);
  if (!write) return undefined;
  const files = [path.join(ctx.actor.project, ".omc", "config.json"), homeConfig(ctx.places.userHome)] as const;
  const [project, home] = [readLevel(files[0], ctx), readLevel(files[1], ctx)];
  const level = levelOf(option, project, home);
  const isConcerned = write.reason !== "allowed_path" && level !== "off" && (level === "strict" || !isReminded);
  const isWorker = isConcerned && (await ctx.fleetWorker());
  const unusable = files.filter((_, at) => [project, home][at] === "unusable");
  const call: JudgedCall = {
    ...write,
    level,
    says: !isConcerned || isWorker ? undefined : level === "strict" ? "strict" : "delegate",
    unusable: said.includes(SAID.unusable) ? [] : unusable,
    isWorker,
  };
  judged.set(event, call);
  return call;
}

/** The first of its writes that could be left to a subagent; of an edit that cannot be, the edit itself. */
function delegableWrite(event: EventOf<"tool.before">, ctx: PolicyContext): JudgedWrite | undefined {
  const targets = writtenTargets(event, ctx.places.userHome);
  if (targets.length === 0) return undefined;
  const view = { root: ctx.actor.project, tempDir: ctx.places.tempDir, reader: ctx };
  const writes = targets.map((target) => ({ target, write: judgedWrite(target, view) }));
  // A command also writes what it builds; only sources are work that could be delegated.
  const isDelegable = ({ reason }: JudgedWrite): boolean =>
    event.tool.kind === "shell" ? reason === "source_file" : reason !== "allowed_path";
  const first = writes.find(({ target, write }) => isDelegable(write) && !isCallersFile(target, event, ctx));
  return first?.write ?? (event.tool.kind === "edit" ? allowed(writes[0]?.write) : undefined);
}

/** A file of the caller's own is allowed, whatever it is. */
function allowed(write: JudgedWrite | undefined): JudgedWrite | undefined {
  return write && { ...write, reason: "allowed_path" };
}

function homeConfig(userHome: string): string {
  return path.join(userHome, ".claude", ".omc-config.json");
}

function readLevel(file: string, { info, read }: PolicyContext): FileLevel | undefined {
  if (info(file) === undefined) return undefined;
  return read.text(file, "delegation", levelIn, LARGEST_CONFIG) ?? "unusable";
}
