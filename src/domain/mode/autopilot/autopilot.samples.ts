import type { AnyEvent, JsonObject } from "../../../core/event.ts";
import { claudeEvent, PROJECT, stop } from "../../../testing/events.ts";
import { FAKE_NOW } from "../../../testing/fake-ports.ts";
import type { Step, StopView } from "../machine.ts";
import { aRun } from "../mode.samples.ts";
import type { ModeRun } from "../mode-run.ts";
import { readerOf, startedWith } from "../ralph/ralph.samples.ts";
import { ultraqa } from "../ultraqa/machine.ts";
import { type AutopilotDetails, detailsOf } from "./details.ts";
import { autopilot } from "./machine.ts";
import type { Phase } from "./phases.ts";
import type { Review } from "./verdicts.ts";

export const IDEA = "Build me a parser";
export const PLAN_FILE = `${PROJECT}/.omc/plans/autopilot-impl.md`;
export const MINUTE = 60_000;
export type Files = Readonly<Record<string, string>>;
export type Changed = { readonly [K in keyof AutopilotDetails]?: Partial<AutopilotDetails[K]> };

/** A run that was started while these files were there, one minute ago, and that is in this phase now. */
export function inPhase(phase: Phase, files: Files = {}): ModeRun {
  const reader = { ...readerOf(files), now: FAKE_NOW - MINUTE };
  return aRun("autopilot", {
    request: IDEA,
    phase,
    details: autopilot.begin({ mode: "autopilot", request: IDEA }, reader),
  });
}

/** The same run with some of its details changed. */
export function changed(run: ModeRun, changes: Changed): ModeRun {
  const details: Record<string, unknown> = { ...run.details };
  for (const [name, value] of Object.entries(changes)) {
    const before = details[name];
    details[name] =
      typeof value === "object" && value !== null && !Array.isArray(value) ? Object.assign({}, before, value) : value;
  }
  return { ...run, details: details as ModeRun["details"] };
}

export const verdictLine = (type: string, verdict: string): string =>
  `<validation-verdict type="${type}">${verdict}</validation-verdict>`;

/** What the reviewer of this type says. */
export const review = (type: Review, verdict: string, ...issues: readonly string[]): readonly [string, string] => [
  `omc:${type}-reviewer`,
  [...issues.map((issue) => `- ${issue}`), verdictLine(type, verdict)].join("\n"),
];

/** A run in the validation that has heard these last messages of reviewers. */
export function reviewed(...heard: readonly (readonly [agentType: string, message: string])[]): ModeRun {
  return heard.reduce(
    (run, [type, message]) => autopilot.heard?.(run, type, message, readerOf({})) ?? run,
    inPhase("validation"),
  );
}

/** The verdicts of a round in the order functional, security, quality. */
export function round(...verdicts: readonly [string, string, string]): (readonly [string, string])[] {
  const types = ["functional", "security", "quality"] as const;
  return types.map((type, at) =>
    review(type, verdicts[at] ?? "", ...(verdicts[at] === "APPROVED" ? [] : [`fix ${type}`])),
  );
}

/** ralph and ultrawork as autopilot has started them, while these files were there. */
export function ralphChildren(files: Files, changes: Partial<ModeRun> = {}): readonly [ModeRun, ModeRun] {
  return [
    { ...startedWith(files, IDEA), parent: "autopilot", ...changes },
    aRun("ultrawork", { request: IDEA, parent: "ralph" }),
  ];
}

export function ultraqaChild(changes: Partial<ModeRun> = {}): ModeRun {
  const details = ultraqa.begin({ mode: "ultraqa", request: IDEA, goal: "tests" }, readerOf({}));
  return aRun("ultraqa", { request: IDEA, parent: "autopilot", details, ...changes });
}

interface Stopped extends Partial<StopView> {
  readonly files?: Files;
  readonly children?: readonly ModeRun[];
}

/** What the machine makes of a stop with this last message. */
export function stopped(run: ModeRun, said: string, { files = {}, children = [], ...stop }: Stopped = {}): Step {
  return autopilot.step(run, { lastMessage: said, now: FAKE_NOW, ...stop }, readerOf(files), children);
}

export const detailsAfter = ({ run }: Step): AutopilotDetails => detailsOf(run);
export const modesOf = (runs: readonly { readonly mode: string }[] | undefined): string[] =>
  (runs ?? []).map(({ mode }) => mode);

/** A stop of the main agent with this last message. */
export const said = (text: string, more: JsonObject = {}) => stop({ last_assistant_message: text, ...more });
/** The last message of a subagent. */
export const subagent = (text: string, type: string, more: JsonObject = {}): AnyEvent =>
  claudeEvent({
    hook_event_name: "SubagentStop",
    agent_id: "a1",
    agent_type: type,
    last_assistant_message: text,
    ...more,
  });
/** A reviewer ends with this verdict. */
export const verdict = (type: Review, name = "APPROVED", more: JsonObject = {}): AnyEvent => {
  const [agent, message] = review(type, name, ...(name === "APPROVED" ? [] : [`fix ${type}`]));
  return subagent(message, agent, more);
};
export const approvals = [verdict("functional"), verdict("security"), verdict("quality")];
export const rejections = [verdict("functional"), verdict("security", "REJECTED"), verdict("quality", "NEEDS_FIX")];
