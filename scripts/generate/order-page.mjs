// docs/order.md: which policies are asked at each event, in which order, and how their verdicts are merged.
import fs from "node:fs";
import path from "node:path";
import { code, codes, page, plain, table } from "./markdown.mjs";
import { root } from "./sources.mjs";

/** Each merge rule with its function and file. */
const RULES = [
  ["collect", "ruling", "Only policies in mode `enforce` count. What they said is put in order of stage, then of id."],
  ["failureVerdict", "pipeline", "A guard that failed, was late or could not read the call speaks as its stage says."],
  [
    "firstWins",
    "ruling",
    "A denial goes before a question, a question before everything else. The first in order gives the text; the others are added as one sentence each.",
  ],
  ["endedBefore", "ruling", "Ending the turn at a call also denies that call."],
  ["rewriteConflict", "ruling", "When two policies want to change the same call, the person is asked."],
  [
    "survivingNotes",
    "ruling",
    "On a denial, notes of later stages are dropped, because what they describe will not happen, and notes that were just given.",
  ],
  [
    "firstSentence",
    "repeated-texts",
    "A denial or note about a call that the same agent was given in full less than ten minutes ago, in the same context, comes as its first sentence. The journal keeps the whole text.",
  ],
  ["earliestWins", "ruling", "A variable that several policies set has the value of the earliest."],
  ["releasedPolicies", "ruling", "A release takes back the holds of the policies it names, for this event."],
  [
    "arbitrateStop",
    "arbiter",
    "One place decides whether a turn may end. Holds are ranked and sent as one text. A turn that goes on without running a tool, a hold that makes no progress, and a hold that reached its limit end the holding; the person is told what is left.",
  ],
  ["holdText", "ruling", "Holds that apply are listed, each with the way out of it."],
  ["fitSections", "context-budget", "Notes share one budget; what does not fit is cut between words, with a pointer."],
];

/** What each stage is for; a new one must be described here. */
const PURPOSE = {
  security: "protects Hookwright itself, private keys and the settings that start it",
  destructive: "losses that cannot be taken back",
  ntm: "what an orchestrator of a fleet in tmux must not do",
  spawn: "who may start which agent",
  scope: "which files an agent may touch: the usual choice for a rule of a project",
  session: "whether work may begin: sessions that have to be opened first",
  overflow: "a context that is nearly full and has to be handed over",
  heartbeat: "work that has to be logged at intervals",
  directives: "instructions that have to be read first",
  delegation: "work that should be given to another agent",
  advice: "notes that help and never stop anything",
  recorder: "only writes down what happened",
};

export function orderPage(sources) {
  const { EVENTS, STAGES } = sources;
  const asked = Object.keys(EVENTS).map((event) => ({ event, order: orderAt(event, sources) }));
  const silent = asked.filter(({ order }) => order.length === 0).map(({ event }) => event);
  return page(
    "Order",
    "All policies that are on and apply to an event are asked. They see the same state, so the order decides only whose",
    "answer goes first. It comes from the stage, and within a stage from the id.",
    "",
    "## Stages",
    "",
    table(
      ["", "stage", "what it is for", "what it may say", "if a policy fails before a tool call"],
      Object.entries(STAGES).map(([name, { order, verdicts, onError }]) => [
        String(order),
        code(name),
        purposeOf(name),
        verdicts.join(", "),
        onError === "nothing" ? "nothing" : onError === "deny" ? "the call is denied" : "the person is asked",
      ]),
    ),
    "",
    "## Events",
    "",
    asked
      .filter(({ order }) => order.length > 0)
      .flatMap(({ event, order }) => [...eventSection(event, order, sources), ""]),
    silent.length > 0 ? [`No policy is asked at ${codes(silent)}.`, ""] : [],
    "## How the answers become one",
    "",
    "Each rule has the name of the function that carries it out, in `src/core`.",
    "",
    table(["rule", "what it does"], RULES.map(ruleRow)),
  );
}

function purposeOf(stage) {
  if (!Object.hasOwn(PURPOSE, stage))
    throw new Error(`scripts/generate/order-page.mjs does not say what ${stage} is for`);
  return PURPOSE[stage];
}

function orderAt(event, { policies, byStageThenId }) {
  return policies
    .filter((policy) => event in policy.on)
    .map((policy) => ({ policy }))
    .sort(byStageThenId)
    .map(({ policy }) => policy);
}

function eventSection(event, order, { EVENTS, CLAUDE_EVENTS }) {
  const [theirs] = Object.entries(CLAUDE_EVENTS).find(([, ours]) => ours === event) ?? [];
  return [
    `### ${code(event)}`,
    "",
    `${theirs ? `Claude Code: ${theirs}. ` : ""}What can be said: ${EVENTS[event].verdicts.join(", ") || "nothing"}.`,
    "",
    ...order.map(({ id, stage, summary }, index) => {
      return `${index + 1}. [${id}](policies/${id}.md), ${code(stage)}: ${plain(summary)}`;
    }),
  ];
}

function ruleRow([name, file, text]) {
  const source = fs.readFileSync(path.join(root, `src/core/${file}.ts`), "utf8");
  // Fails when the function was renamed or moved.
  if (!new RegExp(`function ${name}\\b`).test(source)) {
    throw new Error(
      `src/core/${file}.ts has no function ${name}: bring RULES in scripts/generate/order-page.mjs up to date`,
    );
  }
  return [code(name), text];
}
