import os from "node:os";
import path from "node:path";
import type { Change } from "../../../replay/compare.ts";
import { FixtureWriter } from "../../../replay/fixtures.ts";
import type { RecordedEvent } from "../../../replay/recorded-event.ts";
import { replay } from "../../../replay/replay.ts";
import { type OpenSources, openSources } from "../../../replay/sources.ts";
import { type Difference, type Summary, Tally } from "../../../replay/tally.ts";
import type { Database } from "../../../state/database.ts";
import { maskText } from "../../../state/masking.ts";
import { subjectOf, subjectText } from "../../../state/subject.ts";
import type { CommandContext } from "../../command.ts";
import { builtVersion, homeOf } from "../../installation/current-build.ts";
import { openStateOrEmpty } from "../../state/open-state.ts";
import { styleFor } from "../../terminal/style.ts";
import { expandSessionPrefix } from "../journal/session-prefix.ts";
import { assumedOrigin, type Batches, fixtureBatches, journalBatches, transcriptBatches } from "./events.ts";
import { failuresIn, type ReplayRequest, readRequest, usageError } from "./options.ts";
import { showSummary } from "./show.ts";

/** The progress is shown again after this time. */
const PROGRESS_MS = 100;

export interface ReplayParts {
  readonly dist: string;
}

export async function runReplay(given: CommandContext, { dist }: ReplayParts): Promise<number> {
  const home = homeOf(given.env);
  const context = { ...given, options: expandSessionPrefix(given.options, home.database) };
  const request = readRequest(context, Date.now());
  const { build } = builtVersion(dist);
  const [{ compileConfig }, { readYaml }, patterns, { readToml }] = await Promise.all([
    import("../../../config/compile.ts"),
    import("../../../config/read-yaml.ts"),
    import("../../../config/patterns.ts"),
    import("../../../config/toml.ts"),
  ]);
  const opened = openSources({
    home,
    build,
    policyWorker: path.join(dist, "outside-worker.cjs"),
    trial: request.trial,
    compileConfig: async (sources) => compileConfig(sources),
    readYaml,
    readToml,
    loadPatterns: () => patterns,
  });
  const { from } = request;
  const db = from.kind === "journal" ? openStateOrEmpty(home.database) : undefined;
  try {
    if (request.trial.configFile !== undefined) await mustBeValid(opened);
    const userHome = given.env.HOME || os.homedir();
    const batches =
      from.kind === "fixtures"
        ? fixtureBatches(from.folder)
        : from.kind === "transcripts"
          ? transcriptBatches(from.folder, request, assumedOrigin(home, dist, build, userHome))
          : journalBatches(db as Database, request);
    return report(context, request, await run(context, request, batches, opened), from.kind);
  } finally {
    db?.close();
    opened.close();
  }
}

async function run(
  context: CommandContext,
  { saveTo, session }: ReplayRequest,
  { batches, total, unit }: Batches,
  { sources }: OpenSources,
): Promise<{ readonly summary: Summary; readonly saved: FixtureWriter["counts"] | undefined }> {
  const tally = new Tally();
  const writer = saveTo === undefined ? undefined : new FixtureWriter(saveTo);
  const selected = new Set<string>();
  let count = 0;
  let shown = 0;
  for (const { events, options, afterwards } of batches) {
    if (unit === "file") count += 1;
    for await (const replayed of replay(events, sources, options)) {
      const { recorded } = replayed;
      if (unit === "event") count += 1;
      if (Date.now() - shown >= PROGRESS_MS) {
        shown = Date.now();
        context.progress?.(`Replaying ${unit} ${count} of ${total}`);
      }
      if (!recorded.isWarmUp) {
        selected.add(recorded.session);
        const describe = (change: Change) => differenceOf(recorded, change, afterwards(recorded));
        const difference = tally.add(replayed, describe);
        if (difference && context.options.json) context.out(JSON.stringify(difference));
      }
      if (writer && [undefined, recorded.session].includes(session)) writer.add(replayed, afterwards(recorded));
    }
  }
  // Of a session that was selected the earlier events stay: they rebuild its state.
  writer?.keepOnly(selected);
  return { summary: tally.summary(), saved: writer?.counts };
}

function differenceOf(recorded: RecordedEvent, change: Change, afterwards: Difference["afterwards"]): Difference {
  const { id, at, session, event, agentEvent } = recorded;
  const subject = maskText(subjectText(subjectOf(recorded, JSON.parse(recorded.body))));
  const { kind, policy, was, now } = change;
  const about = { id, at: new Date(at).toISOString(), session, event, agentEvent, subject };
  return { ...about, change: kind, policy, was, now, afterwards };
}

function report(
  { options, out, err, env, columns }: CommandContext,
  { failOn, saveTo }: ReplayRequest,
  { summary, saved }: Awaited<ReturnType<typeof run>>,
  from: ReplayRequest["from"]["kind"],
): number {
  if (options.json) out(JSON.stringify(withoutSamples(summary)));
  else out(showSummary(summary, from, { style: styleFor(env, process.stdout.isTTY === true), columns }));
  if (saved && !options.json) out(`\nSaved ${saved.events} events of ${sessions(saved.files)} in ${saveTo}.`);
  const failures = failuresIn(summary, failOn);
  if (failures.length === 0) return 0;
  err(`hookwright replay: --fail-on ${failures.join(",")}: the replay has such events.`);
  return 1;
}

function sessions(count: number): string {
  return count === 1 ? "1 session" : `${count} sessions`;
}

/** Every difference has a line of its own above. */
function withoutSamples({ policies, ...counts }: Summary): object {
  return { ...counts, policies: policies.map(({ samples: _samples, ...one }) => one) };
}

/** A broken configuration would be replaced by the last good one, and the replay would tell nothing about it. */
async function mustBeValid({ problems }: OpenSources): Promise<void> {
  const found = await problems();
  if (found.length > 0) throw usageError(found.join("\n"));
}
