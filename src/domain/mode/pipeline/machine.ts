import type { Json } from "../../../core/event.ts";
import type { ModeMachine, Step } from "../machine.ts";
import type { ModeRun } from "../mode-run.ts";
import { plainLines, says } from "../signals.ts";
import { readPipeline, type Stage } from "./stages.ts";

const COMPLETE = "STAGE_COMPLETE";
const FAILED = "STAGE_FAILED";
const MOST_RETRIES = 3;
const LONGEST_RESULT = 700;

const stagesOf = (run: ModeRun): readonly Stage[] => run.details.stages as unknown as readonly Stage[];
const currentOf = (run: ModeRun): number => Number(run.details.current_stage);

/** One stage after the other, each done by an agent of its own that gets the result of the stage before. */
export const pipeline: ModeMachine = {
  mode: "pipeline",
  fields: { preset: "text", current_stage: "number", stages: "list", created_at: "text", task: "text" },
  begin(start, reader) {
    const { preset, stages, request } = readPipeline(start.request, start.stages);
    const [first, ...others] = stages as readonly [Stage, ...Stage[]];
    return {
      preset,
      current_stage: 0,
      stages: [{ ...first, status: "running" }, ...others] as unknown as Json,
      created_at: new Date(reader.now).toISOString(),
      task: request,
    };
  },
  until: (run) => `the last of its ${stagesOf(run).length} stages is complete (${names(run)})`,
  guide: (run) =>
    [
      `pipeline is on for this request: ${String(run.details.task) || run.request || "the work at hand"}`,
      `Its stages: ${names(run)}. ${stageText(run)}`,
    ].join("\n"),
  step(run, { lastMessage }) {
    if (says(lastMessage, FAILED)) return failedStage(run, resultOf(lastMessage));
    if (says(lastMessage, COMPLETE)) return completeStage(run, resultOf(lastMessage));
    return { kind: "hold", run, text: stageText(run) };
  },
  progress: (run) => `stage ${currentOf(run) + 1} of ${stagesOf(run).length}: ${stagesOf(run)[currentOf(run)]?.name}`,
};

function completeStage(run: ModeRun, result: string): Step {
  const [stages, at] = [stagesOf(run), currentOf(run)];
  const done = withStage(run, at, { status: "complete", result });
  const next = stages[at + 1];
  if (!next) return { kind: "end", outcome: "done", run: done, text: `All stages are complete: ${names(run)}.` };
  const moved = withStage(done, at + 1, { status: "running" });
  const begun = { ...moved, details: { ...moved.details, current_stage: at + 1 } };
  const news = `stage ${stages[at]?.name} is complete, ${next.name} is next (${at + 2} of ${stages.length}).`;
  return { kind: "hold", run: begun, text: stageText(begun), news };
}

function failedStage(run: ModeRun, result: string): Step {
  const at = currentOf(run);
  const stage = stagesOf(run)[at];
  const retries = (stage?.retries ?? 0) + 1;
  const failed = withStage(run, at, { retries, status: "failed", result });
  if (retries > MOST_RETRIES) {
    const text = `Stage ${stage?.name} has failed ${retries} times. ${result}`;
    return { kind: "end", outcome: "failed", run: failed, text };
  }
  const text = `Stage ${stage?.name} has failed; this is try ${retries + 1} of ${MOST_RETRIES + 1}. ${stageText(failed)}`;
  return { kind: "hold", run: failed, text, news: `stage ${stage?.name} has failed and is tried again.` };
}

function withStage(run: ModeRun, at: number, change: Partial<Stage>): ModeRun {
  const stages = stagesOf(run).map((stage, index) => (index === at ? { ...stage, ...change } : stage));
  return { ...run, details: { ...run.details, stages: stages as unknown as Json } };
}

function stageText(run: ModeRun): string {
  const [stages, at] = [stagesOf(run), currentOf(run)];
  const stage = stages[at];
  const before = stages[at - 1];
  const agents = stage?.agents ?? [];
  const who =
    agents.length > 1
      ? `subagents of the types ${agents.join(" and ")} at the same time`
      : `a subagent of the type ${agents[0]}`;
  return [
    `Stage ${at + 1} of ${stages.length}, ${stage?.name}, of: ${String(run.details.task) || run.request || "the work at hand"}.`,
    `Give it to ${who} (general-purpose where there is no such type).`,
    ...(before?.result ? [`The stage before, ${before.name}, resulted in: ${before.result}`] : []),
    `Then sum up its result, and write ${COMPLETE} alone on a line, or ${FAILED} if it cannot be done.`,
  ].join(" ");
}

/** What the message says beside the signals. */
function resultOf(message: string): string {
  const text = plainLines(message)
    .filter((line) => !line.includes(COMPLETE) && !line.includes(FAILED))
    .join(" ")
    .replace(/\s+/g, " ")
    .trim();
  return text.length <= LONGEST_RESULT ? text : `${text.slice(0, LONGEST_RESULT)}…`;
}

function names(run: ModeRun): string {
  return stagesOf(run)
    .map(({ name }) => name)
    .join(" -> ");
}
