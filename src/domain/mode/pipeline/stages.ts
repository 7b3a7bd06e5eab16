import { HookwrightError } from "../../../core/errors.ts";

/** What several agents do at the same time counts as one stage. */
export type Stage = {
  readonly name: string;
  readonly agents: readonly string[];
  readonly status: "pending" | "running" | "complete" | "failed";
  /** How often the stage was tried again after a failure. */
  readonly retries: number;
  readonly result: string;
};

const PRESETS: Readonly<Record<string, string>> = {
  review: "explore -> architect -> critic -> executor",
  implement: "planner -> executor -> tester",
  debug: "explore -> architect -> fixer",
  research: "researcher + explore -> architect -> writer",
  refactor: "explore -> architect -> executor -> tester",
  security: "explore -> auditor -> executor -> auditor",
};
export const PRESET_NAMES = Object.keys(PRESETS);
const DEFAULT_PRESET = "implement";

const ARROW = /\s*(?:->|→|=>)\s*/;
const AGENT = /^[A-Za-z][\w:-]{0,63}$/;
const MOST_STAGES = 12;

export interface PipelineRequest {
  readonly preset: string;
  readonly stages: readonly Stage[];
  /** The request without the words that name the stages. */
  readonly request: string;
}

/**
 * The stages that a request names: `review the login`, `explore -> fixer: the login`, or an option of its own. Without
 * any, they are those of the preset `implement`.
 */
export function readPipeline(request: string, option: string | undefined): PipelineRequest {
  if (option !== undefined) return { ...named(option.trim()), request };
  const [head = "", ...rest] = request.split(/:(?=\s|$)|\n/);
  if (ARROW.test(head.trim())) return { ...named(head.trim()), request: rest.join(":").trim() };
  const [first = "", ...words] = request.split(/\s+/);
  const preset = first.replace(/:$/, "").toLowerCase();
  if (Object.hasOwn(PRESETS, preset)) return { ...named(preset), request: words.join(" ") };
  return { ...named(DEFAULT_PRESET), request };
}

function named(text: string): Omit<PipelineRequest, "request"> {
  const preset = Object.hasOwn(PRESETS, text.toLowerCase()) ? text.toLowerCase() : "";
  const names = (PRESETS[preset] ?? text).split(ARROW);
  const stages = names.map((name): Stage => {
    const agents = name.split(/\s*\+\s*/).map((agent) => agent.trim());
    return { name: agents.join("+"), agents, status: "pending", retries: 0, result: "" };
  });
  const odd = stages.flatMap(({ agents }) => agents).find((agent) => !AGENT.test(agent));
  if (odd !== undefined) throw refused(`\`${odd.slice(0, 40)}\` is not the name of a preset or of an agent`);
  if (preset === "" && stages.length === 1) throw refused(`there is no preset \`${text.slice(0, 40)}\``);
  if (stages.length > MOST_STAGES) throw refused(`it has ${stages.length} stages, and at most ${MOST_STAGES} are run`);
  return { preset, stages };
}

function refused(detail: string): HookwrightError {
  const hint = `Name a preset (${PRESET_NAMES.join(", ")}) or stages such as \`explore -> architect -> executor\``;
  return new HookwrightError("HW_MODE_START", { mode: "pipeline", detail, hint });
}
