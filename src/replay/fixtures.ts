import fs from "node:fs";
import path from "node:path";
import { HookwrightError } from "../core/errors.ts";
import type { Json } from "../core/event.ts";
import type { Config } from "../core/settings/config.ts";
import { safeName } from "../core/text/safe-name.ts";
import { configHash } from "../engine/record/origin-of.ts";
import { maskJson } from "../state/masking.ts";
import type { Origin } from "../state/origins.ts";
import { makeFolder } from "../system/make-folder.ts";
import { fileLines, parseLine } from "./file-lines.ts";
import type { RecordedEvent } from "./recorded-event.ts";
import type { Replayed } from "./replay.ts";

const VERSION = 1;

/** A line of a fixture. Origins and configurations are long and mostly the same, so each is written once. */
type FixtureLine =
  | { readonly fixture: typeof VERSION }
  | { readonly origin: number; readonly value: Origin }
  | { readonly config: string; readonly value: Config }
  | { readonly event: SavedEvent };
type SavedEvent = Omit<RecordedEvent, "origin" | "config"> & {
  readonly origin: number | null;
  readonly config: string | null;
};

interface OpenFixture {
  readonly origins: Map<string, number>;
  readonly configs: Set<string>;
  events: number;
}

/** Writes a file for each session; its events are saved with the answers of this replay, which later ones must repeat. */
export class FixtureWriter {
  readonly #folder: string;
  readonly #sessions = new Map<string, OpenFixture>();

  constructor(folder: string) {
    this.#folder = folder;
    makeFolder(folder);
  }

  get counts(): { readonly files: number; readonly events: number } {
    let events = 0;
    for (const session of this.#sessions.values()) events += session.events;
    return { files: this.#sessions.size, events };
  }

  add(replayed: Replayed, afterwards: RecordedEvent["afterwards"]): void {
    const { recorded, again } = replayed;
    const session = this.#open(recorded.session);
    const lines: FixtureLine[] = [];
    const { origin, config: _config, ...event } = withAnswer(replayed);
    let number: number | null = null;
    if (origin !== undefined) {
      const key = JSON.stringify(origin);
      number = session.origins.get(key) ?? null;
      if (number === null) {
        number = session.origins.size;
        session.origins.set(key, number);
        lines.push({ origin: number, value: origin });
      }
    }
    let hash: string | null = null;
    if (again.kind === "decided") {
      hash = configHash(again.config);
      if (!session.configs.has(hash)) lines.push({ config: hash, value: again.config });
      session.configs.add(hash);
    }
    // What was restored from a transcript has not been masked yet.
    const body = JSON.stringify(maskJson(JSON.parse(event.body) as Json));
    const label = afterwards === undefined ? {} : { afterwards };
    lines.push({ event: { ...event, ...label, body, origin: number, config: hash } });
    fs.appendFileSync(this.#fileOf(recorded.session), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    session.events += 1;
  }

  /** Removes what was saved of other sessions. */
  keepOnly(sessions: ReadonlySet<string>): void {
    for (const session of [...this.#sessions.keys()].filter((one) => !sessions.has(one))) {
      fs.rmSync(this.#fileOf(session));
      this.#sessions.delete(session);
    }
  }

  #open(session: string): OpenFixture {
    const known = this.#sessions.get(session);
    if (known) return known;
    const opened: OpenFixture = { origins: new Map(), configs: new Set(), events: 0 };
    this.#sessions.set(session, opened);
    const head: FixtureLine = { fixture: VERSION };
    // An earlier fixture of the same session is replaced.
    fs.writeFileSync(this.#fileOf(session), `${JSON.stringify(head)}\n`);
    return opened;
  }

  #fileOf(session: string): string {
    return path.join(this.#folder, `${safeName(session || "no-session")}.jsonl`);
  }
}

/** The event with the answer that it has got now; one that could not be decided keeps the recorded one. */
function withAnswer({ recorded, again }: Replayed): RecordedEvent {
  if (again.kind !== "decided") return recorded;
  const { ruling, results, reply } = again;
  return {
    ...recorded,
    ruling: ruling.outcome,
    policy: ruling.policy,
    reason: maskJson(ruling.reason) as string,
    results: results.map(({ id, verdicts, error }) => ({
      policy: id,
      fate: ruling.fates[id] ?? "silent",
      verdicts: verdicts.map(({ kind, text }) => ({ kind, text: maskJson(text) as string })),
      ...(error === undefined ? {} : { error }),
    })),
    reply,
  };
}

/** The files of a folder, in the order of their names. */
export function fixtureFiles(folder: string): string[] {
  const names = fs.readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  return names.sort().map((name) => path.join(folder, name));
}

/** The events of one file. A line that cannot be read is an error: a check that replays less than it should finds less. */
export function* fixtureEvents(file: string): Generator<RecordedEvent> {
  const origins = new Map<number, Origin>();
  const configs = new Map<string, Config>();
  for (const { number, bytes } of fileLines(file)) {
    const line = parseLine(bytes) as FixtureLine | undefined;
    if (number === 1 && !(line && "fixture" in line && line.fixture === VERSION)) {
      throw new HookwrightError("HW_FIXTURE_UNREADABLE", { file, detail: `it is no fixture of version ${VERSION}` });
    }
    if (line === undefined) {
      throw new HookwrightError("HW_FIXTURE_UNREADABLE", { file, detail: `line ${number} is not JSON` });
    }
    if ("event" in line) {
      const { origin, config, ...event } = line.event;
      const used = config === null ? undefined : configs.get(config);
      yield {
        ...event,
        origin: origin === null ? undefined : origins.get(origin),
        ...(used === undefined ? {} : { config: used }),
      };
    } else if ("origin" in line) origins.set(line.origin, line.value);
    else if ("config" in line) configs.set(line.config, line.value);
  }
}
