import type { Database } from "./database.ts";
import type { Row } from "./driver.ts";

/** A policy that looked at an event and said nothing. */
export interface SilentPolicy {
  readonly policy: string;
  readonly stage: string;
  readonly mode: string;
}

/** None of the words can hold a space. */
export function silentLine(policy: string, stage: string, mode: string): string {
  return `${policy} ${stage} ${mode}\n`;
}

/** The number under which a list is kept; null for none. */
export function silentId(db: Database, list: string | undefined): number | null {
  if (!list) return null;
  const known = db.recall("silent", "SELECT id FROM silent_lists WHERE policies = ?", list);
  return known ? Number(known.id) : db.insert("INSERT INTO silent_lists (policies) VALUES (?)", list);
}

/** Who said nothing of the event in this row of the journal. */
export function silentIn(db: Database, { silent }: Row): SilentPolicy[] {
  if (typeof silent !== "number") return [];
  const row = db.get("SELECT policies FROM silent_lists WHERE id = ?", silent);
  const lines = String(row?.policies ?? "").split("\n");
  return lines.slice(0, -1).map((line) => {
    const [policy = "", stage = "", mode = ""] = line.split(" ");
    return { policy, stage, mode };
  });
}
