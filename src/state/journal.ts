import type { Json } from "../core/event.ts";
import type { Reply } from "../core/frame.ts";
import type { Database } from "./database.ts";
import type { Row } from "./driver.ts";
import { seal, unseal } from "./encrypted-reply.ts";
import { isSuspicious, maskJson, maskText } from "./masking.ts";
import { originId } from "./origins.ts";

/** The session id of the test events that doctor sends; no agent's session has such an id. */
export const DOCTOR_SESSION = "hookwright-doctor";

/** A retried event within this time gets the ruling it already had. */
const KEY_LIFETIME_MS = 60_000;
/** Expired keys are deleted at every so many entries. */
const PURGE_EVERY = 256;
/** A command line is cut after so many characters. */
const LONGEST_WORDS = 500;

export interface JournalEntry {
  readonly at: number;
  readonly agent: string;
  readonly session: string;
  readonly agentId: string;
  readonly project: string;
  readonly event: string;
  readonly agentEvent: string;
  readonly tool: string;
  readonly toolUseId: string;
  readonly ruling: string;
  readonly policy: string;
  readonly reason: string;
  readonly microseconds: number;
  readonly body: string;
  readonly verdicts: string;
  /** The policies that said nothing; see `silentList`. */
  readonly silent?: string;
  readonly facts: string;
  /** What the event has in common with others, see `Origin`, and what it has not, see `Grounds`; both as text. */
  readonly origin?: string;
  readonly grounds?: string;
  readonly reply: Reply;
}

/** An event with the same key that was recorded before this time is another event. */
function oldestKey(now: number): number {
  return now - KEY_LIFETIME_MS;
}

/** Identifies a retry: by the key, for an event about a call among the entries of that call. */
export type Retry = Pick<JournalEntry, "session" | "toolUseId" | "event"> & { readonly key: string };

/** The answer to the event with this key and body, byte for byte. */
export function storedReply(db: Database, retry: Retry, now: number, body: Uint8Array): Reply | undefined {
  const row =
    retry.toolUseId === ""
      ? db.get(
          "SELECT reply, sealed FROM keys JOIN journal ON journal.id = keys.journal WHERE keys.key = ? AND keys.at > ?",
          retry.key,
          oldestKey(now),
        )
      : db.get(
          `SELECT reply, sealed FROM journal LEFT JOIN keys ON keys.key = journal.key
            WHERE session = ? AND tool_use_id = ? AND event = ? AND journal.key = ? AND journal.at > ?`,
          retry.session,
          retry.toolUseId,
          retry.event,
          retry.key,
          oldestKey(now),
        );
  return row && replyIn(row, body);
}

function replyIn({ reply, sealed }: Row, body: Uint8Array): Reply | undefined {
  if (typeof sealed === "string") return unseal(sealed, body);
  return typeof reply === "string" ? (JSON.parse(reply) as Reply) : undefined;
}

/** The answer is recorded with its secrets masked, and encrypted as it was for a retry with the same `body`. */
export function append(db: Database, key: string, entry: JournalEntry, body?: Uint8Array): number {
  const masked = maskedReply(entry.reply);
  const isMasked = masked.stdout !== entry.reply.stdout || masked.stderr !== entry.reply.stderr;
  const id = db.insert(
    `INSERT INTO journal (at, agent, session, agent_id, project, event, agent_event, tool, tool_use_id, ruling, policy,
      reason, microseconds, body, verdicts, silent, facts, origin, grounds, reply, key)
      VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
    entry.at,
    entry.agent,
    entry.session,
    entry.agentId,
    entry.project,
    entry.event,
    entry.agentEvent,
    entry.tool,
    entry.toolUseId,
    entry.ruling,
    entry.policy,
    entry.reason,
    entry.microseconds,
    entry.body,
    entry.verdicts,
    silentId(db, entry.silent),
    entry.facts,
    entry.origin === undefined ? null : originId(db, entry.origin),
    entry.grounds ?? "",
    replyJson(masked),
    key,
  );
  const sealed = isMasked && body ? seal(entry.reply, body) : null;
  if (entry.toolUseId === "" || sealed !== null) {
    db.run("INSERT OR REPLACE INTO keys (key, at, journal, sealed) VALUES (?,?,?,?)", key, entry.at, id, sealed);
  }
  if (id % PURGE_EVERY === 0) db.run("DELETE FROM keys WHERE at < ?", oldestKey(entry.at));
  return id;
}

/** Records something that was changed and is no event of an agent, such as a command. Undefined: the database is locked. */
export function recordChange(
  db: Database,
  {
    at,
    folder,
    words,
    reason,
  }: { readonly at: number; readonly folder: string; readonly words: string; readonly reason: string },
): { readonly value: number } | undefined {
  return db.transaction(() =>
    append(db, `command-${at}-${process.pid}`, {
      at,
      agent: "",
      session: "",
      agentId: "",
      project: folder,
      event: "command",
      agentEvent: maskText(words).slice(0, LONGEST_WORDS),
      tool: "",
      toolUseId: "",
      ruling: "pass",
      policy: "",
      reason: maskText(reason),
      microseconds: 0,
      body: "{}",
      verdicts: "[]",
      facts: "{}",
      reply: { exit: 0, stdout: "", stderr: "" },
    }),
  );
}

/** Nearly every answer is to go on. */
const GO_ON = JSON.stringify({ exit: 0, stdout: "", stderr: "" });

function replyJson(reply: Reply): string {
  return reply.exit === 0 && reply.stdout === "" && reply.stderr === "" ? GO_ON : JSON.stringify(reply);
}

/** For an event that no policy sees: a retry of it leaves no second entry. */
export function appendOnce(db: Database, key: string, entry: JournalEntry, body: Uint8Array): void {
  if (!storedReply(db, { ...entry, key }, entry.at, body)) append(db, key, entry, body);
}

/** JSON is masked before it becomes text: in the text an escape can hide a secret, and a mask can remove a quote. */
export function maskedReply({ exit, stdout, stderr }: Reply): Reply {
  const isEmpty = stdout === "" && stderr === "";
  if (isEmpty || (!isSuspicious(stdout) && !isSuspicious(stderr))) return { exit, stdout, stderr };
  const isObject = stdout.startsWith("{");
  const masked = isObject ? `${JSON.stringify(maskJson(JSON.parse(stdout) as Json))}\n` : maskText(stdout);
  return { exit, stdout: masked, stderr: maskText(stderr) };
}

/** Was this call decided before it ran? */
export function hasGuarded(db: Database, session: string, toolUseId: string): boolean {
  return (
    db.get(
      "SELECT 1 AS found FROM journal WHERE tool_use_id = ? AND event = 'tool.before' AND session = ? LIMIT 1",
      toolUseId,
      session,
    ) !== undefined
  );
}

/** A policy that looked at an event and said nothing. */
export interface SilentPolicy {
  readonly policy: string;
  readonly stage: string;
  readonly mode: string;
}

/** The policies that said nothing, as text: the same list is stored once for all events. No id contains a space. */
export function silentList(
  policies: readonly { readonly id: string; readonly stage: string; readonly mode: string }[],
): string {
  return policies.map(({ id, stage, mode }) => `${id} ${stage} ${mode}\n`).join("");
}

/** The number under which a list is stored; null for none. */
function silentId(db: Database, list: string | undefined): number | null {
  if (!list) return null;
  const known = db.recall("silent", "SELECT id FROM silent_lists WHERE policies = ?", list);
  return known ? Number(known.id) : db.insert("INSERT INTO silent_lists (policies) VALUES (?)", list);
}

/** The policies that said nothing about the event in this row of the journal. */
export function silentIn(db: Database, { silent }: Row): SilentPolicy[] {
  if (typeof silent !== "number") return [];
  const row = db.get("SELECT policies FROM silent_lists WHERE id = ?", silent);
  const lines = String(row?.policies ?? "").split("\n");
  return lines.slice(0, -1).map((line) => {
    const [policy = "", stage = "", mode = ""] = line.split(" ");
    return { policy, stage, mode };
  });
}
