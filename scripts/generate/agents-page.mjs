// docs/agents.md: which agents there are, what each policy can do in them, and what the conformance suite has shown.
import fs from "node:fs";
import path from "node:path";
import { installPart } from "./agents-page/install.mjs";
import { isEvent, policyReach } from "./agents-page/policy-reach.mjs";
import { code, page, plain, table } from "./markdown.mjs";
import { root } from "./sources.mjs";

const RESULTS = "test/conformance/results";
const SUITE = "../test/conformance/scenarios.ts";

/** Without an adapter, because nobody here has run one against the real program. */
const UNSUPPORTED = [
  [
    "Cline",
    "A hook that stops a tool also ends the whole run, and the model never reads the reason. Its hooks are one file for each event and folder, so two products collide.",
  ],
  [
    "Kilo",
    "It has the plugin interface of opencode, but its newest version could not be installed together with the plugin package that it asks for.",
  ],
  ["Amp", "It starts no session without a login at its own server, so nothing could be tried."],
  ["Cursor", "Its command line is not on npm, so no version of it could be run. Its editor has no headless mode."],
  ["Goose", "It is not on npm, so no version of it could be run."],
];

export function agentsPage(sources) {
  const agents = sources.INSTALLABLE.map(({ declaration }) => declaration);
  return page(
    "Agents",
    "The agents that Hookwright guards, how it is [installed](#install-and-remove) into each, [what every policy can do](#policies)",
    "there, and what the real clients [have shown](#conformance).",
    "",
    table(
      ["agent", "name", "tested version", "a stop can be held", "a call while the hook crashes, is late, is missing"],
      agents.map(agentRow),
    ),
    "",
    "“It runs” means that nothing is guarded while the hook fails. Where the hook runs and only its own engine cannot, every agent is",
    "told to deny the call. Where an agent has no limit of its own, Hookwright ends a held stop after three continuations without work.",
    "",
    limits(agents),
    installPart(sources.INSTALLABLE),
    conformance(agents, sources),
    policies(agents, sources),
    events(agents, sources),
    "## Not supported",
    "",
    table(["agent", "because"], UNSUPPORTED),
    "",
    scenarios(sources),
  );
}

function agentRow({ title, id, package: name, version, events, stopCap, onFailure }) {
  const stop = Object.values(events).find((one) => one.name === "turn.stop");
  const cap = stopCap === 0 ? "no limit of its own" : `${stopCap} times in a row at most`;
  const held = stop?.can.includes("hold") ? `yes, ${cap}` : "no";
  const does = { runs: "it runs", denies: "it is denied" };
  const failures = ["crash", "timeout", "missing"].map((kind) => does[onFailure[kind]]);
  const [first] = failures;
  const same = failures.every((one) => one === first);
  return [title, code(id), `${code(name)} ${version}`, held, same ? first : failures.join(", ")];
}

function limits(agents) {
  const known = agents.filter((agent) => agent.limits?.length > 0);
  if (known.length === 0) return [];
  const rows = known.flatMap(({ title, limits: texts }) => texts.map((text) => `- ${title}: ${plain(text)}`));
  return ["What the hooks of an agent never see:", "", ...rows, ""];
}

function resultsOf({ id, version }) {
  const file = path.join(root, RESULTS, `${id}.json`);
  if (!fs.existsSync(file)) return undefined;
  const results = JSON.parse(fs.readFileSync(file, "utf8"));
  return results.version === version ? results : undefined;
}

function conformance(agents, { SCENARIOS }) {
  const results = new Map(agents.map((agent) => [agent, resultsOf(agent)]));
  const shown = { passed: "passed", failed: "**failed**", skipped: "skipped", undeclared: "not declared" };
  const stateOf = (agent, name) => results.get(agent)?.scenarios[name]?.state;
  const rows = SCENARIOS.map(({ name, only }) => [
    code(name),
    ...agents.map((agent) => {
      if (only !== undefined && only !== agent.id) return "–";
      const state = stateOf(agent, name);
      return state === undefined ? "not run" : `[${shown[state]}](#${name})`;
    }),
  ]);
  const counts = agents.map((agent) => {
    const states = SCENARIOS.map(({ name }) => stateOf(agent, name));
    const count = (state) => states.filter((one) => one === state).length;
    return `${count("passed")} / ${count("failed")} / ${count("skipped")}`;
  });
  const runs = agents.map((agent) => {
    const found = results.get(agent);
    return found ? `${agent.version}, ${found.at}, Node ${found.node.replace("v", "")}` : "none";
  });
  return [
    "## Conformance",
    "",
    "What this page says of an agent is its declaration (`src/agents/NAME/declaration.ts`), which its adapter and these tests use too.",
    "The real clients, headless on Linux, with a scripted model and without a network. A scenario that needs what an agent does not",
    "declare is not tried; a client that could not be installed is skipped, which is no pass. [The scenarios](#scenarios) are below.",
    "",
    ...table(
      ["scenario", ...agents.map(({ title }) => title)],
      [...rows, ["passed / failed / skipped", ...counts], ["last run", ...runs]],
    ),
    "",
  ];
}

function policies(agents, sources) {
  const reasons = new Map(agents.map((agent) => [agent, []]));
  const cell = (policy, agent) => {
    const { state, why } = policyReach(policy, agent, sources);
    const known = reasons.get(agent);
    const numbers = why.map((reason) => {
      if (!known.includes(reason)) known.push(reason);
      return known.indexOf(reason) + 1;
    });
    return numbers.length === 0 ? state : `${state} (${numbers.sort((a, b) => a - b).join(", ")})`;
  };
  const rows = sources.policies.map((policy) => [
    `[${policy.id}](policies/${policy.id}.md)`,
    ...agents.map((agent) => cell(policy, agent)),
  ]);
  const lists = agents
    .filter((agent) => reasons.get(agent).length > 0)
    .flatMap((agent) => [
      `${agent.title}:`,
      "",
      ...reasons.get(agent).map((text, at) => `${at + 1}. ${plain(text)}`),
      "",
    ]);
  return [
    "## Policies",
    "",
    "From the events that a policy handles, the verdicts in its source and the declaration. Where an agent cannot ask, a question",
    "becomes a denial with the reason, which counts as working; so does a policy that also has messages for a person, which stay in",
    "the journal. It does not say whether an agent has the tools that a policy looks at, such as tasks or teammates. The numbers are those of the reasons below.",
    "",
    ...table(["policy", ...agents.map(({ title }) => title)], rows),
    "",
    ...lists,
  ];
}

function events(agents, { EVENTS }) {
  const rows = Object.keys(EVENTS).map((name) => [
    code(name),
    ...agents.map(({ events: declared }) => {
      const theirs = Object.entries(declared).filter(([, one]) => isEvent(one, name));
      return (
        theirs.map(([event, { can }]) => `${event}${can.length > 0 ? `: ${can.join(", ")}` : ""}`).join("; ") || "–"
      );
    }),
  ]);
  return [
    "## Events",
    "",
    "The agent's own name of each event, with the verdicts that it carries out there.",
    "",
    ...table(["event", ...agents.map(({ title }) => title)], rows),
    "",
  ];
}

function scenarios({ SCENARIOS }) {
  return [
    "## Scenarios",
    "",
    `All of them are in [scenarios.ts](${SUITE}).`,
    "",
    ...SCENARIOS.flatMap(({ name, shows, profiles, isQuick }) => [
      `### ${name}`,
      "",
      `${shows[0].toUpperCase()}${plain(shows.slice(1))}.${profiles ? ` Profiles: safety, ${profiles}.` : ""}${isQuick ? " Every landing has to pass it." : ""}`,
      "",
    ]),
  ];
}
