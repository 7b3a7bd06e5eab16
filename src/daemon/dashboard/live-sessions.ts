import { type SessionEvent, type SessionState, SessionStates } from "../../domain/lifecycle/session-states.ts";
import { TranscriptUsage } from "../../domain/usage/transcript-usage.ts";
import type { Database } from "../../state/database.ts";
import type { Row } from "../../state/driver.ts";
import { DOCTOR_SESSION } from "../../state/journal.ts";
import { system } from "../../system/system.ts";
import { bodyOf, textIn } from "./rows.ts";

/** One session, as far as its events tell. */
export interface LiveSession {
  readonly agent: string;
  readonly session: string;
  project: string;
  readonly firstAt: number;
  readonly states: SessionStates;
  /** The process that sent the newest events of the main thread, and whether it sent more than one. */
  sender: { readonly pid: number; readonly isAgent: boolean };
  /** The newest entry that somebody may ask about: a call, or whatever did not just pass. */
  lastId: number;
  newestId: number;
  /** Undefined until the name of the transcript is known. */
  usage: TranscriptUsage | undefined;
  /** When the transcript was read to its end, and the newest entry then. */
  readAt: number;
  readId: number;
}

/** At the start so many entries are read, and of a session that is not among them so many. */
const AT_START = 20_000;
const OF_OLD_SESSION = 50;
const BATCH = 1_000;
const MOST_SESSIONS = 500;
const SHOWN_MS = 24 * 3_600_000;
/** The time of a session's last event is written down at most once an hour. */
const STEP_MS = 3_600_000;
const READ_STEP_MS = 10_000;

const COLUMNS = `id, at, agent, session, agent_id, project, event, tool, tool_use_id, ruling,
  CASE WHEN json_valid(grounds) THEN grounds ->> '$.pid' END AS pid,
  CASE WHEN event IN ('notification.sent', 'session.start', 'subagent.start') THEN body ELSE '' END AS body`;

/** Follows the journal: every entry is read once, however many pages ask. */
export class LiveSessions {
  readonly #sessions = new Map<string, LiveSession>();
  #last = -1;

  /** The sessions of the last day. */
  get all(): readonly LiveSession[] {
    return [...this.#sessions.values()];
  }

  /** Reads what was added since the last call; returns how many entries that was. */
  advance(db: Database, now: number): number {
    const highest = Number(db.get("SELECT COALESCE(MAX(id), 0) AS id FROM journal")?.id);
    // Ids are given again after the newest entries were deleted, so then everything is read anew.
    const isStart = this.#last < 0 || highest < this.#last;
    const start = Math.max(0, highest - AT_START);
    if (isStart) {
      this.#sessions.clear();
      this.#last = start;
    }
    let count = 0;
    while (this.#last < highest) {
      const rows = db.all(`SELECT ${COLUMNS} FROM journal WHERE id > ? ORDER BY id LIMIT ${BATCH}`, this.#last);
      for (const row of rows) this.#add(row);
      count += rows.length;
      this.#last = Number(rows.at(-1)?.id ?? highest);
    }
    if (isStart) this.#addOlder(db, now, start);
    if (count > 0) this.#forget(now);
    return count;
  }

  /** The sessions that were silent for so long that none of their entries was read. */
  #addOlder(db: Database, now: number, before: number): void {
    const query = "SELECT agent, session FROM sessions WHERE last_at > ? ORDER BY last_at DESC LIMIT ?";
    for (const { agent, session } of db.all(query, now - SHOWN_MS - STEP_MS, MOST_SESSIONS)) {
      if (this.#sessions.has(`${agent}\0${session}`)) continue;
      const older = `SELECT id FROM journal WHERE session = ? AND id <= ? ORDER BY id DESC LIMIT ${OF_OLD_SESSION}`;
      const rows = db.all(
        `SELECT ${COLUMNS} FROM journal WHERE id IN (${older}) AND agent = ? ORDER BY id`,
        String(session),
        before,
        String(agent),
      );
      for (const row of rows) this.#add(row);
    }
  }

  #add(row: Row): void {
    const [agent, session] = [String(row.agent), String(row.session)];
    const [id, at] = [Number(row.id), Number(row.at)];
    if (session === "" || session === DOCTOR_SESSION) return;
    const key = `${agent}\0${session}`;
    let live = this.#sessions.get(key);
    if (!live) {
      const project = String(row.project);
      const states = new SessionStates();
      live = {
        agent,
        session,
        project,
        firstAt: at,
        states,
        sender: { pid: 0, isAgent: false },
        lastId: 0,
        newestId: id,
        usage: undefined,
        readAt: 0,
        readId: 0,
      };
      this.#sessions.set(key, live);
    }
    const event = sessionEvent(row, id, at);
    live.states.add(event);
    live.newestId = id;
    if (event.agentId === "" && String(row.project) !== "") live.project = String(row.project);
    const pid = Number(row.pid);
    if (event.agentId === "" && pid > 1) live.sender = { pid, isAgent: pid === live.sender.pid };
    if (event.event === "tool.before" || event.ruling !== "pass") live.lastId = id;
  }

  #forget(now: number): void {
    const byAge = this.all.toSorted((a, b) => b.states.lastAt - a.states.lastAt);
    for (const [index, { agent, session, states }] of byAge.entries()) {
      if (index >= MOST_SESSIONS || now - states.lastAt > SHOWN_MS) this.#sessions.delete(`${agent}\0${session}`);
    }
  }
}

/**
 * What the session is doing. An agent that was killed reports nothing, so its process is looked for. A hook that is run by
 * a shell knows only that shell, which is another one for each event and gone after it: that says nothing of the agent.
 */
export function stateOf({ states, sender }: LiveSession, now: number): { state: SessionState; since: number } {
  const isGone = sender.isAgent && !system.isAlive(sender.pid);
  return isGone ? { state: "dead", since: states.lastAt } : states.stateAt(now);
}

/**
 * Reads on in the session's transcript, which the newest event names; returns how many bytes. An agent writes there about
 * when it reports an event, so without one it is read now and then only.
 */
export function readUsage(db: Database, live: LiveSession, budget: number, now: number): number {
  if (live.readId === live.newestId && now - live.readAt < READ_STEP_MS) return 0;
  if (!live.usage) {
    const row = db.get("SELECT body FROM journal WHERE id = ?", live.newestId);
    const file = row ? textIn(bodyOf(row), "transcript_path") : "";
    if (file !== "") live.usage = new TranscriptUsage(file);
  }
  const before = live.usage?.bytes ?? 0;
  if (live.usage?.read(budget) !== true) {
    live.readAt = now;
    live.readId = live.newestId;
  }
  return (live.usage?.bytes ?? 0) - before;
}

const KINDS: Readonly<Record<string, string>> = {
  "notification.sent": "notification_type",
  "session.start": "source",
  "subagent.start": "agent_type",
};

function sessionEvent(row: Row, id: number, at: number): SessionEvent {
  const event = String(row.event);
  const field = KINDS[event];
  return {
    id,
    at,
    event,
    agentId: String(row.agent_id),
    tool: String(row.tool),
    toolUseId: String(row.tool_use_id),
    ruling: String(row.ruling),
    kind: field === undefined ? "" : textIn(bodyOf(row), field),
  };
}
