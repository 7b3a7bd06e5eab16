import { printableValue } from "../../../config/printable.ts";
import { profileWith } from "../../../core/settings/profiles.ts";
import { STAGES } from "../../../core/stages.ts";
import { indented, type Style, table } from "../../terminal/style.ts";
import type { ConfigLayers, ListedPolicy, PolicyDetails } from "./list-policies.ts";

const LAST_STAGE = Object.keys(STAGES).length;

const FROM = {
  default: "default",
  person: "your configuration",
  project: "this project's configuration",
  fleet: "the fleet's policy bundle",
  "--profile": "--profile",
} as const;

/** The policies that are on, by stage; with `isAll` also those that are off, by the profile that turns them on. */
export function showList(
  policies: readonly ListedPolicy[],
  situation: ConfigLayers,
  style: Style,
  isAll: boolean = false,
): string {
  const { profiles, profilesFrom } = situation;
  const names = profiles.length > 0 ? profiles.join(", ") : "none";
  const on = policies.filter((one) => one.on);
  const off = policies.filter((one) => !one.on && one.problem === undefined);
  const width = Math.max(...policies.map(({ id }) => id.length));
  const row = (policy: ListedPolicy): string => `    ${policy.id.padEnd(width)}  ${textOf(policy, style)}`;
  const stages = [...new Set(on.map(({ order }) => order))].map((order) => {
    const own = on.filter((one) => one.order === order);
    return [style.bold(`${String(order).padStart(2)}  ${own[0]?.stage}`), ...own.map(row)].join("\n");
  });
  const titles = [...new Set(off.map(offTitle))].sort();
  const sections = titles.map((title) =>
    [style.bold(title), ...off.filter((one) => offTitle(one) === title).map(row)].join("\n"),
  );
  const count = off.length === 1 ? "1 policy is off here" : `${off.length} policies are off here`;
  return [
    `${style.bold("Profiles:")} ${names} ${style.dim(`(${FROM[profilesFrom]})`)}`,
    [`These policies are on here. They are asked in the order of their stages:`, ...stages].join("\n"),
    ...(isAll ? sections : []),
    ...switchedOff(policies, style),
    "If several deny, the agent reads the first denial in full. `hookwright policies ID` shows all about one policy.",
    ...problems(situation, style),
    ...ownProblems(policies, situation, style),
    off.length === 0 || isAll ? `${count}.` : `${count}; \`hookwright policies --all\` also shows them.`,
  ].join("\n\n");
}

/** The person may have set the variable for another purpose, or long ago. */
function switchedOff(policies: readonly ListedPolicy[], style: Style): string[] {
  const names = new Set(policies.flatMap(({ switchedOffBy }) => switchedOffBy ?? []));
  return [...names].map((name) => {
    const ids = policies.filter(({ switchedOffBy }) => switchedOffBy === name).map(({ id }) => id);
    return style.yellow(
      `${name} in this shell switches off, also for agents that you start from it: ${ids.join(", ")}.`,
    );
  });
}

function textOf({ mode, on, summary }: ListedPolicy, style: Style): string {
  if (!on) return style.dim(summary);
  return mode === "observe" ? `${style.yellow("(observe: recorded only)")} ${summary}` : summary;
}

function offTitle({ mode, pack, switchedOffBy, offByDefault }: ListedPolicy): string {
  if (switchedOffBy !== undefined) return `Off: ${switchedOffBy} in this shell switches them off`;
  if (offByDefault) return "Off by default: give them a mode in the configuration, under `policies`";
  const profile = profileWith(pack);
  return mode === "off" || profile === undefined
    ? "Off: the configuration says `off`"
    : `Off: the profile \`${profile}\` turns them on`;
}

/** The project's own policies that do not run, with their reasons; equal reasons are shown once. */
function ownProblems(policies: readonly ListedPolicy[], { project }: ConfigLayers, style: Style): string[] {
  const said = [project.problem, ...policies.map(({ problem }) => problem ?? "")].filter((text) => text !== "");
  if (said.length === 0) return [];
  const stopped = policies.filter(({ problem }) => problem !== undefined);
  const rows = table(stopped.map(({ id, state = "" }) => [`    ${id}`, style.yellow(state)]));
  const lines = [...new Set(said)].map((text) => indented(text, 2));
  const title = style.yellow("These policies of the project do not run:");
  return [[title, ...(rows === "" ? [] : [rows]), ...lines].join("\n")];
}

function whyOff({ on, mode, switchedOffBy }: ListedPolicy, { profiles }: ConfigLayers): string {
  if (on || mode === "off") return "";
  if (switchedOffBy !== undefined) return `, but off: ${switchedOffBy} in this shell switches it off`;
  return `, but off: no profile in use (${profiles.join(", ") || "none"}) has it`;
}

export function showPolicy(policy: PolicyDetails, situation: ConfigLayers, style: Style): string {
  if (policy.problem !== undefined) {
    const lines = [style.bold(policy.id), indented(`${policy.state}. ${policy.problem}`, 2)];
    return [lines.join("\n"), ...problems(situation, style)].join("\n\n");
  }
  const about = [
    ["mode", `${policy.mode} (${FROM[policy.modeFrom]})${whyOff(policy, situation)}`],
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
  const value = `  ${style.bold(option.name)}: ${printableValue(option.value, 300)} ${style.dim(`(${FROM[option.from]})`)}`;
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

function problems(situation: ConfigLayers, style: Style): string[] {
  if (situation.problems.length === 0) return [];
  const lines = situation.problems.map((problem) => indented(problem, 2));
  return [`${style.yellow("The configuration has problems:")}\n${lines.join("\n")}`];
}
