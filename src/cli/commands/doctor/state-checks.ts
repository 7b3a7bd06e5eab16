import fs from "node:fs";
import path from "node:path";
import { describe } from "../../../core/errors.ts";
import { Database } from "../../../state/database.ts";
import { isCorrupt } from "../../../state/driver.ts";
import { nextDue, summarizeJobs } from "../../../state/jobs.ts";
import { DOCTOR_SESSION } from "../../../state/journal.ts";
import { countEntries } from "../../../state/journal-query.ts";
import { believableTime, DEFAULT_RETENTION } from "../../../state/retention.ts";
import { configIn } from "../../installation/config-in-folder.ts";
import { profileNotes } from "../../installation/profiles.ts";
import { formatTime } from "../journal/time-format.ts";
import type { DoctorContext } from "./context.ts";
import { type DoctorFinding, noteFinding, okFinding, problemFinding } from "./finding.ts";

const BUSY_MS = 2_000;
/** A time further in the future than this means a wrong clock. */
const FUTURE_MS = 10 * 60_000;
const OVERDUE_MS = 10 * 60_000;
const DAY_MS = 86_400_000;

export function stateFindings(doctor: DoctorContext): DoctorFinding[] {
  const { home } = doctor;
  const name = "recording";
  try {
    const db = new Database(home.database, BUSY_MS, false);
    try {
      const isWritable = db.transaction(() => forgetTrials(db)) !== undefined && hasRoom(db);
      const recording = isWritable
        ? okFinding(name, `into ${home.database}`)
        : problemFinding(
            name,
            `${home.database} is locked by another program`,
            "Run `hookwright doctor` again in a moment, or end the program that has the file open.",
          );
      return [recording, ...journal(db, home.database), jobs(db), ...damaged(home.root)];
    } finally {
      db.close();
    }
  } catch (error) {
    const fix = isCorrupt(error)
      ? "Run `hookwright doctor --fix`: it starts a new database and keeps the damaged file beside it. So does the next event."
      : `Make ${home.root} a directory you can write to, with free space.`;
    return [problemFinding(name, `${home.database}: ${describe(error)}`, fix)];
  }
}

function journal(db: Database, file: string): DoctorFinding[] {
  const { entries, oldest, newest = 0 } = countEntries(db);
  const sizes = [file, `${file}-wal`].map((one) => fs.statSync(one, { throwIfNoEntry: false })?.size ?? 0);
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1_048_576;
  const since = oldest === undefined ? "" : ` since ${formatTime(oldest)}`;
  const { days, megabytes: most } = DEFAULT_RETENTION;
  const doubted = Date.now() - believableTime(db, Date.now());
  const detail = `${entries} ${entries === 1 ? "entry" : "entries"}${since}, ${megabytes.toFixed(1)} MB`;
  // Hooks clean up once a day, so entries well beyond the limits mean that the clean-up does not work.
  const isOld = oldest !== undefined && Date.now() - doubted - oldest > (days + 2) * DAY_MS;
  const isLate = isOld || megabytes > most * 1.5;
  const finding = isLate
    ? noteFinding("journal", `${detail}, more than should be kept`, "Run `hookwright maintain`.")
    : okFinding("journal", detail);
  if (newest > Date.now() + FUTURE_MS) return [finding, clock(newest)];
  return doubted > days * DAY_MS ? [finding, pause(doubted)] : [finding];
}

function pause(doubted: number): DoctorFinding {
  const gone = Math.round(doubted / DAY_MS) + 2;
  const detail = `nothing was recorded for ${gone} days until today: either nobody worked, or the clock is wrong`;
  return noteFinding("clock", detail, "Check the clock. Old entries are not removed until it has run on for a day.");
}

function clock(newest: number): DoctorFinding {
  const detail = `an entry has the time ${formatTime(newest)}, which is in the future: the clock was wrong then, or is wrong now`;
  return noteFinding("clock", detail, "Check the clock. Decisions do not depend on it, and entries keep their order.");
}

function jobs(db: Database): DoctorFinding {
  const name = "background work";
  const { open, failed } = summarizeJobs(db);
  const due = nextDue(db, Date.now());
  const detail = open === 0 ? "nothing open" : `${open} open`;
  if (failed.length > 0) {
    const which = failed.map((job) => `${job.name} (${job.id}): ${job.error.split("\n")[0]}`).join("; ");
    return noteFinding(name, `${detail}; failed several times and given up: ${which}`);
  }
  const isOverdue = due !== undefined && due < Date.now() - OVERDUE_MS;
  return isOverdue
    ? noteFinding(name, `${detail}, and overdue`, "Run `hookwright maintain`.")
    : okFinding(name, detail);
}

function damaged(root: string): DoctorFinding[] {
  const aside = fs.readdirSync(root).filter((file) => file.includes(".corrupt-"));
  if (aside.length === 0) return [];
  return [
    noteFinding("set aside as damaged", aside.join(", "), `Delete them from ${root} when you no longer want them.`),
  ];
}

export async function configurationFinding({ home, cwd }: DoctorContext): Promise<DoctorFinding> {
  const name = "configuration";
  const { config, files: found, problems } = await configIn(home, cwd);
  if (found.length === 0)
    return okFinding(name, `no file: the defaults are used; profiles: ${config.profiles.join(", ")}`);
  if (problems.length > 0) return problemFinding(name, problems.join(" "), "Correct the lines that are named above.");
  const files = found.map(({ file }) => (path.relative(cwd, file).startsWith("..") ? file : path.relative(cwd, file)));
  const notes = profileNotes(config.profiles);
  const detail = [`${files.join(", ")}; profiles: ${config.profiles.join(", ") || "none"}`, ...notes].join(". ");
  return notes.length === 0 ? okFinding(name, detail) : noteFinding(name, detail.replace(/\.$/, ""));
}

/** Detects a full disk by writing and removing as much as several large entries. */
function hasRoom(db: Database): boolean {
  const written = db.transaction(() =>
    db.run("INSERT OR REPLACE INTO entries (scope, store, key, value) VALUES ('doctor', 'trial', '', zeroblob(65536))"),
  );
  const removed = db.transaction(() => db.run("DELETE FROM entries WHERE scope = 'doctor'"));
  return written !== undefined && removed !== undefined;
}

/** Removes the events that doctor sent. The last entry of the journal stays, so that no id is used twice. */
function forgetTrials(db: Database): void {
  const older = "SELECT id FROM journal WHERE session = ? AND id < (SELECT MAX(id) FROM journal)";
  db.run(`DELETE FROM keys WHERE journal IN (${older})`, DOCTOR_SESSION);
  db.run(`DELETE FROM journal WHERE id IN (${older})`, DOCTOR_SESSION);
}
