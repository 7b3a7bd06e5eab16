import fs from "node:fs";
import path from "node:path";
import { afterwardsIn } from "../../../replay/afterwards.ts";
import { fixtureEvents, fixtureFiles } from "../../../replay/fixtures.ts";
import { countSelected, journalEvents } from "../../../replay/journal-events.ts";
import type { Afterwards, RecordedEvent } from "../../../replay/recorded-event.ts";
import type { ReplayOptions } from "../../../replay/replay.ts";
import { BodyRestorer } from "../../../replay/restore-body.ts";
import { transcriptEvents, transcriptFiles } from "../../../replay/transcript-events.ts";
import type { Database } from "../../../state/database.ts";
import { highestId } from "../../../state/journal-query.ts";
import type { Origin } from "../../../state/origins.ts";
import { PERSON_SCOPE } from "../../../state/stores.ts";
import type { Home } from "../../../system/home.ts";
import { temporaryFolder } from "../../../system/user-folders.ts";
import type { ReplayRequest } from "./options.ts";

/** Events that build on the same state. */
export interface Batch {
  readonly events: Iterable<RecordedEvent>;
  readonly options: ReplayOptions;
  afterwards(event: RecordedEvent): Afterwards;
}

export interface Batches {
  readonly batches: Iterable<Batch>;
  /** What the replay goes over, for the progress: events of the journal, else files. */
  readonly total: number;
  readonly unit: "event" | "file";
}

const asSaved = ({ afterwards = "unknown" }: RecordedEvent): Afterwards => afterwards;

export function journalBatches(db: Database, { since, session }: ReplayRequest): Batches {
  const selection = { since, session };
  const upTo = highestId(db);
  const restorer = new BodyRestorer();
  const hasPersonState = db.get("SELECT 1 AS found FROM revisions WHERE scope = ?", PERSON_SCOPE) !== undefined;
  const batch: Batch = {
    events: journalEvents(db, selection, upTo),
    options: { restore: (event) => restorer.restore(event), lostScopes: hasPersonState ? [PERSON_SCOPE] : [] },
    afterwards: (event) => afterwardsIn(db, event),
  };
  return { batches: [batch], total: countSelected(db, selection, upTo), unit: "event" };
}

export function fixtureBatches(folder: string): Batches {
  const files = fixtureFiles(folder);
  return { batches: batchesOf(files, fixtureEvents), total: files.length, unit: "file" };
}

export function transcriptBatches(folder: string, { since, session }: ReplayRequest, origin: Origin): Batches {
  const files = transcriptFiles(folder, { since, session });
  return {
    batches: batchesOf(files, (file) => transcriptEvents(file, { since }, origin)),
    total: files.length,
    unit: "file",
  };
}

function* batchesOf(files: readonly string[], read: (file: string) => Iterable<RecordedEvent>): Generator<Batch> {
  for (const file of files) yield { events: read(file), options: {}, afterwards: asSaved };
}

/** A hook as it would have been called: a transcript says nothing about that. */
export function assumedOrigin(home: Home, dist: string, build: string, userHome: string): Origin {
  return {
    build,
    config: "",
    args: [],
    env: { HOME: userHome },
    notice: "",
    userHome,
    home: home.root,
    personConfig: home.config,
    programs: path.resolve(dist),
    tempDir: temporaryFolder(),
    uid: process.getuid?.() ?? fs.statSync(userHome).uid,
    isResident: true,
  };
}
