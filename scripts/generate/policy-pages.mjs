// docs/policies: one page for each policy, and an index.
import * as z from "zod";
import { code, codes, page, plain, section, table } from "./markdown.mjs";

export function policyPages(sources) {
  const { policies } = sources;
  const pages = policies.map((policy) => [`docs/policies/${policy.id}.md`, policyPage(policy, sources)]);
  return Object.fromEntries([["docs/policies/README.md", indexPage(policies, sources)], ...pages]);
}

function indexPage(policies, sources) {
  const packs = [...new Set(policies.map(packOf))];
  return page(
    "Policies",
    "`hookwright policies` shows which of them are on where you are. [Order](../order.md) says which is asked first and how",
    "their answers become one; [Configuration](../config.md) says how to set them.",
    "",
    packs.flatMap((pack) => [
      `## ${pack}`,
      "",
      `Profile: ${profileText(pack, sources)}.`,
      "",
      ...table(
        ["policy", "what it does", "stage"],
        policies
          .filter((policy) => packOf(policy) === pack)
          .map((policy) => [linkTo(policy), plain(policy.summary) + offText(policy), code(policy.stage)]),
      ),
      "",
    ]),
  );
}

function policyPage(policy, sources) {
  const { id, summary, why, origin, stage, messages, examples } = policy;
  const { STAGES } = sources;
  const about = [
    ["profile", profileText(packOf(policy), sources)],
    ["mode if left out", modeText(policy)],
    ["stage", `${code(stage)}, ${STAGES[stage].order} of ${Object.keys(STAGES).length} ([order](../../order.md))`],
    ["asked at", eventsText(policy, Object.keys(policy.on), sources)],
    ["keeps state at", eventsText(policy, Object.keys(policy.settled ?? {}), sources)],
    ["if it fails or is late", failureText(policy, sources)],
    ["environment it reads", codes(policy.reads?.env ?? [])],
    ["origin", origin ? code(origin) : ""],
  ];
  return page(
    id,
    plain(summary),
    "",
    `**Why:** ${plain(why)}`,
    "",
    table(
      ["", ""],
      about.filter(([, text]) => text !== ""),
    ),
    "",
    section("Options", optionTable(policy, sources)),
    section("Messages", messageTable(messages)),
    ["## Examples", "", "It speaks up at:", "", ...examples.hit.map(bullet)],
    ["", "It says nothing at:", "", ...examples.pass.map(bullet)],
  );
}

const packOf = ({ id }) => id.split("/")[0];
const linkTo = ({ id }) => `[${id}](${id}.md)`;
const offText = ({ defaultMode }) => (defaultMode ? " Off by default." : "");
const modeText = ({ defaultMode, needsTrust }) => {
  if (!defaultMode) return "";
  const trust = needsTrust ? "; a project's configuration can do that only with trust" : "";
  return `${code(defaultMode)}: give it a mode to turn it on${trust}`;
};
const bullet = (text) => `- ${plain(text)}`;

function profileText(pack, { PROFILES, packsOf }) {
  if (packsOf([]).has(pack)) return "always on";
  const profiles = PROFILES.filter((name) => packsOf([name]).has(pack));
  return profiles.length > 0 ? codes(profiles) : "none yet, so it is never on";
}

function eventsText(policy, events, { CLAUDE_EVENTS }) {
  if (events.length === 0) return "";
  const names = events.map((event) => {
    const [theirs] = Object.entries(CLAUDE_EVENTS).find(([, ours]) => ours === event) ?? [];
    return theirs === undefined ? code(event) : `${code(event)} (Claude Code: ${theirs})`;
  });
  const kinds = policy.filter ? `, of ${policy.filter.kinds.join(" and ")} tools` : "";
  return names.join(", ") + kinds;
}

function failureText({ on, stage }, { STAGES, GUARDED_EVENTS }) {
  const { onError } = STAGES[stage];
  const isGuard = GUARDED_EVENTS.some((event) => event in on);
  if (!isGuard || onError === "nothing") return "it counts as having said nothing; the failure is recorded";
  return onError === "deny" ? "the call is denied, and may be tried once more" : "the person is asked about the call";
}

function messageTable(messages) {
  const rows = Object.entries(messages).map(([name, text]) => {
    const filled = [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, word]) => word))];
    return [code(name), plain(text), codes(filled)];
  });
  return table(["name", "text", "filled in"], rows);
}

function optionTable({ id, options }, { policies, configSchema, kindText, allowance }) {
  if (!options) return [];
  const shapes = configSchema(policies).properties.policies.properties[id].anyOf;
  const described = shapes.find((one) => one.type === "object").properties;
  const rows = Object.entries(options(z).shape).map(([name, option]) => {
    const kind = described[name] ?? {};
    const standard = JSON.stringify(kind.default);
    const cells = [code(name), kindText(kind), standard === undefined ? "nothing" : code(standard)];
    return [...cells, option.description ?? "", allowance(option)];
  });
  return table(["option", "takes", "if left out", "meaning", "a project may"], rows);
}
