import type { ReplayRequest } from "../../../daemon/dashboard/actions.ts";
import type { ReplayProgress, ReplaySample, ReplaySummary } from "../../../daemon/dashboard/api.ts";
import type { ChangeKind } from "../../../replay/compare.ts";
import type { Difference, Summary } from "../../../replay/tally.ts";
import type { CommandContext } from "../../command.ts";
import { runReplay } from "../replay/run.ts";

/** So many differences of each kind are shown; all are counted. */
const MOST_SAMPLES = 50;

const CHANGES: Readonly<Record<ChangeKind, ReplaySample["change"]>> = {
  denied: "newly denied",
  asked: "newly asked",
  allowed: "newly allowed",
  held: "newly held",
  context: "changed context",
};
const OUTCOMES: Readonly<Record<Difference["afterwards"], string>> = {
  kept: "kept",
  failed: "failed",
  undone: "undone",
  refused: "refused by the person",
  stopped: "stopped",
  unknown: "",
};

/** Runs `hookwright replay --json`, and hands on its progress, the summary and a few samples of each change. */
export async function replayFor(
  context: CommandContext,
  dist: string,
  { since, config, policy, profile }: ReplayRequest,
  onProgress: (progress: ReplayProgress) => void,
): Promise<void> {
  const samples: ReplaySample[] = [];
  let last: Summary | undefined;
  const given = Object.entries({ since, config, profile }).filter(([, value]) => value !== undefined && value !== "");
  await runReplay(
    {
      ...context,
      args: [],
      options: { ...Object.fromEntries(given), ...(policy ? { policy: policy.split(",") } : {}), json: true },
      progress(step) {
        const [, done, all] = /(\d+) of (\d+)$/.exec(step) ?? [];
        if (done !== undefined) onProgress({ kind: "progress", done: Number(done), all: Number(all) });
      },
      out(text) {
        const line = JSON.parse(text) as Difference | Summary;
        if (!("change" in line)) last = line;
        else if (samples.filter(({ change }) => change === CHANGES[line.change]).length < MOST_SAMPLES) {
          samples.push(sampleOf(line));
        }
      },
    },
    { dist },
  );
  if (last) onProgress({ kind: "done", summary: summaryOf(last), samples });
}

/** The same without samples, for one change. */
export async function replaySummary(
  context: CommandContext,
  dist: string,
  request: ReplayRequest,
): Promise<ReplaySummary | null> {
  let summary: ReplaySummary | null = null;
  await replayFor(context, dist, request, (progress) => {
    if (progress.kind === "done") summary = progress.summary;
  });
  return summary;
}

function sampleOf({ id, policy, change, subject, was, now, afterwards }: Difference): ReplaySample {
  const said = ({ ruling, reason }: Difference["was"]): string => (reason === "" ? ruling : `${ruling}: ${reason}`);
  return {
    id,
    policy,
    change: CHANGES[change],
    subject,
    before: said(was),
    after: said(now),
    outcome: OUTCOMES[afterwards],
  };
}

function summaryOf(summary: Summary): ReplaySummary {
  const { replayed, undecidable, notReplayable, newlyDenied, newlyAsked, newlyAllowed, newlyHeld, changedContext } =
    summary;
  return { replayed, undecidable, notReplayable, newlyDenied, newlyAsked, newlyAllowed, newlyHeld, changedContext };
}
