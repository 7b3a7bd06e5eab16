import { shown } from "../../config/shown.ts";
import { STAGES } from "../../core/stages.ts";
import { indented, type Style, table } from "../style.ts";
import type { ListedPolicy, PolicyDetails, Situation } from "./gather.ts";

const LAST_STAGE = Object.keys(STAGES).length;

const FROM = {
  default: "default",
  person: "your configuration",
  project: "this project's configuration",
  "--profile": "--profile",
} as const;

export function showList(policies: readonly ListedPolicy[], situation: Situation, style: Style): string {
  const row = ({ order, stage, id, mode, on, summary, state: own, problem }: ListedPolicy): string[] => {
    if (own !== undefined && problem !== undefined) return ["", "", id, style.yellow(own), "does not run, see below"];
    const dimmed = on ? (text: string) => text : style.dim;
    const state = !on ? style.dim("off") : mode === "observe" ? style.yellow(mode) : style.green(mode);
    return [style.dim(String(order).padStart(2)), dimmed(stage), dimmed(id), state, dimmed(summary)];
  };
  const { profiles, profilesFrom } = situation;
  const names = profiles.length > 0 ? profiles.join(", ") : "none";
  return [
    `${style.bold("Profiles:")} ${names} ${style.dim(`(${FROM[profilesFrom]})`)}`,
    table(policies.map(row)),
    "They are asked in this order; the first denial gives the headline. `hookwright policies ID` tells more of one.",
    ...problems(situation, style),
    ...ownProblems(policies, situation, style),
  ].join("\n\n");
}

/** One sentence often explains all of them. */
function ownProblems(policies: readonly ListedPolicy[], { project }: Situation, style: Style): string[] {
  const said = [project.problem, ...policies.map(({ problem }) => problem ?? "")].filter((text) => text !== "");
  if (said.length === 0) return [];
  const lines = [...new Set(said)].map((text) => indented(text, 2));
  return [`${style.yellow("Not all of this project's own policies run:")}\n${lines.join("\n")}`];
}

export function showPolicy(policy: PolicyDetails, situation: Situation, style: Style): string {
  if (policy.problem !== undefined) {
    const lines = [style.bold(policy.id), indented(`${policy.state}. ${policy.problem}`, 2)];
    return [lines.join("\n"), ...problems(situation, style)].join("\n\n");
  }
  const isChosen = policy.on || policy.mode === "off";
  const off = isChosen ? "" : `, but off: no profile in use (${situation.profiles.join(", ") || "none"}) has it`;
  const about = [
    ["mode", `${policy.mode} (${FROM[policy.modeFrom]})${off}`],
    ["stage", `${policy.stage} (${policy.order} of ${LAST_STAGE})`],
    ["looks at", policy.events.join(", ") + (policy.kinds.length > 0 ? ` of ${policy.kinds.join(", ")} tools` : "")],
    ["if it fails", failure(policy.onError)],
    ["origin", policy.origin],
    ["reads", policy.env.join(", ")],
  ];
  const rows = about
    .filter(([, value]) => value !== "")
    .map(([name = "", value = ""]) => [`  ${style.dim(name)}`, value]);
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length > 0 ? [`${style.bold(title)}\n${lines.join("\n")}`] : [];
  return [
    `${style.bold(policy.id)}\n${indented(policy.summary, 2)}\n${indented(policy.why, 2)}`,
    table(rows),
    ...section(
      "Options",
      policy.options.map((option) => optionText(option, style)),
    ),
    ...section(
      "What it says",
      Object.values(policy.messages).map((text) => indented(`- ${text}`, 2)),
    ),
    ...section(
      "Stops or speaks at",
      policy.examples.hit.map((text) => indented(`- ${text}`, 2)),
    ),
    ...section(
      "Lets pass",
      policy.examples.pass.map((text) => indented(`- ${text}`, 2)),
    ),
    ...problems(situation, style),
  ].join("\n\n");
}

function optionText(option: PolicyDetails["options"][number], style: Style): string {
  const value = `  ${style.bold(option.name)}: ${shown(option.value, 300)} ${style.dim(`(${FROM[option.from]})`)}`;
  return [
    value,
    ...(option.description ? [indented(option.description, 4)] : []),
    `    A project may ${option.project}.`,
  ].join("\n");
}

function failure(onError: string): string {
  if (onError === "nothing") return "it counts as having said nothing";
  return onError === "deny" ? "a guarded call is denied" : "a person is asked about a guarded call";
}

function problems(situation: Situation, style: Style): string[] {
  if (situation.problems.length === 0) return [];
  const lines = situation.problems.map((problem) => indented(problem, 2));
  return [`${style.yellow("The configuration has problems:")}\n${lines.join("\n")}`];
}
