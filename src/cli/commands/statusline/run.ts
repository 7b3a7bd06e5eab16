import { projectRoot } from "../../../core/actor.ts";
import { describe } from "../../../core/errors.ts";
import type { SessionFlags } from "../../../core/session-flags.ts";
import { MODE_STORE, runsKey } from "../../../domain/mode/modes.ts";
import {
  type FoundSession,
  type Identity,
  identityOf,
  SESSION_STORE,
  Sessions,
  sessionName,
  sessionStateFile,
} from "../../../domain/session/sessions.ts";
import { isHandingOver, isOpenSession, textIn, withFields } from "../../../domain/session/state.ts";
import { AGENT_STORE, agentsKey, runningIn } from "../../../domain/subagents/running-count.ts";
import type { ConfigCompiler } from "../../../engine/chunks.ts";
import { openConfigCache } from "../../../engine/config/config-cache.ts";
import { isSwitchedOff } from "../../../engine/receive/kill-switch.ts";
import { Database } from "../../../state/database.ts";
import { mirrorOf, mirrorText, setMirror, writeOpenMirrors } from "../../../state/exported-files.ts";
import { bumpRevision, ensureSession, readFlags, saveFlags, seenCalls } from "../../../state/sessions.ts";
import { openTable, projectScope, type SessionRef } from "../../../state/stores.ts";
import { fileStamp } from "../../../system/file-stamp.ts";
import { system } from "../../../system/system.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/home-of.ts";
import { type Input, readInput } from "../../terminal/standard-input.ts";

// A separate bundle with few imports, because the agent may run it several times a second to redraw its status line.

/** The agent waits for the line, so the waits for input and for the database lock are short. */
const INPUT_MS = 1_000;
const BUSY_MS = 100;
const MOST_BYTES = 1024 * 1024;
const AGENT = "claude-code";

export interface StatuslineParts {
  readonly build: string;
  /** Needed only when the configuration has changed. */
  readonly compileConfig: ConfigCompiler;
  /** Needed only while the session has a mode. */
  loadModes(): typeof import("./modes-text.ts") | Promise<typeof import("./modes-text.ts")>;
}

export async function runStatusline(
  { env, cwd, out }: Pick<CommandContext, "env" | "cwd" | "out">,
  input: Input,
  { build, compileConfig, loadModes }: StatuslineParts,
): Promise<number> {
  const home = homeOf(env);
  if (env.HOOKWRIGHT_DISABLE === "1" || isSwitchedOff(home.root)) {
    out("hookwright · switched off");
    return 0;
  }
  const status = readStatus(await readInput(input, MOST_BYTES, INPUT_MS));
  const folder = status.folder || cwd;
  const { profiles } = await openConfigCache(home, build, compileConfig).load(folder, projectRoot(folder, system));
  if (status.session === "") {
    out(line(profiles, undefined, status.usage));
    return 0;
  }
  try {
    const db = new Database(home.database, BUSY_MS, false);
    try {
      const project = projectRoot(status.folder, system);
      const ref = { agent: AGENT, session: status.session, agentId: "", project };
      const who = identityOf(status.session, (name) => env[name]);
      if (status.usage !== undefined) keepUsage(db, ref, status.usage, who);
      const flags = readFlags(db, ref);
      const counts = { calls: seenCalls(db, status.session), denied: deniedIn(db, status.session) };
      const work = new Sessions(openTable(db, projectScope(ref), SESSION_STORE)).find(who);
      const modes = openTable(db, projectScope(ref), MODE_STORE);
      const hasModes = modes.get(runsKey(status.session)) !== undefined;
      const mode = hasModes ? (await loadModes()).modesText(modes, status.session, project, system.now()) : "";
      const agents = runningIn(openTable(db, projectScope(ref), AGENT_STORE).get(agentsKey(status.session)));
      out(line(profiles, counts, status.usage ?? flags.contextUsage, { work, mode, agents }));
    } finally {
      db.close();
    }
  } catch (error) {
    out(`hookwright · cannot read its records (${describe(error).split("\n")[0]}); run hookwright doctor`);
  }
  return 0;
}

interface Status {
  readonly session: string;
  readonly folder: string;
  /** How full the context is, 0 to 1. */
  readonly usage: number | undefined;
}

/** Any field may be missing, for example early in a session; that is not an error. */
function readStatus(bytes: Buffer): Status {
  const root = parsed(bytes);
  const session = member(root, "session_id");
  const folder = member(member(root, "workspace"), "current_dir");
  const percent = member(member(root, "context_window"), "used_percentage");
  return {
    session: typeof session === "string" ? session.toWellFormed() : "",
    folder: typeof folder === "string" ? folder : "",
    usage:
      typeof percent === "number" && Number.isFinite(percent)
        ? Math.round(Math.min(100, Math.max(0, percent)) * 100) / 10_000
        : undefined,
  };
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** Stores a changed usage. A decision in progress may go on with the one before: what it saw is recorded with it. */
function keepUsage(db: Database, ref: SessionRef, contextUsage: number, who: Identity): void {
  if (readFlags(db, ref).contextUsage === contextUsage) return;
  db.transaction(() => {
    ensureSession(db, ref, system.now());
    const flags: SessionFlags = { ...readFlags(db, ref), contextUsage };
    saveFlags(db, ref, flags);
    keepInSession(db, ref, contextUsage, who);
  });
  writeOpenMirrors(db, system.uid);
}

/** Also writes the usage into the session's state, for programs that read its file; not during a hand-over, which resets it. */
function keepInSession(db: Database, ref: SessionRef, contextUsage: number, who: Identity): void {
  const store = new Sessions(openTable(db, projectScope(ref), SESSION_STORE, () => undefined));
  const work = store.find(who);
  if (!work || isHandingOver(work.state)) return;
  const file = sessionStateFile(work.dir);
  const known = mirrorOf(db, file);
  // The file was changed by another program and not imported yet; the next event does that.
  if (known?.isWritten && known.stamp !== (fileStamp(file) ?? "")) return;
  const state = withFields(work.state, { contextUsage });
  store.save(work.dir, state);
  setMirror(db, file, mirrorText(state));
  bumpRevision(db, projectScope(ref));
}

function deniedIn(db: Database, session: string): number {
  // Uses the index of denied entries, because this runs often and a session may have thousands of entries.
  const denied = "SELECT COUNT(*) AS n FROM journal INDEXED BY journal_denied WHERE session = ? AND ruling = 'deny'";
  const row = db.get(denied, session);
  return Number(row?.n ?? 0);
}

/** What the session does. */
interface Doing {
  readonly work?: FoundSession | undefined;
  readonly mode?: string;
  /** How many of its subagents run. */
  readonly agents?: number;
}

function line(
  profiles: readonly string[],
  counts: { calls: number; denied: number } | undefined,
  usage: number | undefined,
  { work, mode = "", agents = 0 }: Doing = {},
): string {
  const parts = ["hookwright", profiles.join(", ") || "no profile"];
  if (work) {
    const phase = textIn(work.state, "currentPhase");
    parts.push(
      `${sessionName(work.dir)}${phase === "" ? "" : `, ${phase}`}${isOpenSession(work.state) ? "" : " (closed)"}`,
    );
  }
  if (mode !== "") parts.push(mode);
  if (agents > 0) parts.push(agents === 1 ? "1 agent" : `${agents} agents`);
  if (counts) parts.push(`${counts.calls} ${counts.calls === 1 ? "call" : "calls"}, ${counts.denied} denied`);
  if (usage !== undefined) parts.push(`context ${Math.round(usage * 100)} %`);
  return parts.join(" · ");
}
