// What is left of a policy in an agent: from the events that it handles, its source, and the agent's declaration.
import fs from "node:fs";
import path from "node:path";
import { code } from "../markdown.mjs";
import { root } from "../sources.mjs";

const SPOKEN = /\b(?:ctx|context)\.(deny|ask|note|notice|hold|release|rewrite|approve|end|watch|environment)\(/g;
/** A question becomes a denial, and a release without a hold loses nothing. */
const DISPENSABLE = new Set(["ask", "release"]);

/** `why` says what is lost; it is empty where nothing is. */
export function policyReach(policy, agent, sources) {
  const handled = Object.keys(policy.on);
  const names = handled.length > 0 ? handled : Object.keys(policy.settled ?? {});
  const looked = names.map((name) => reachAt(name, policy, agent, sources));
  const why = [...new Set(looked.flatMap(({ lost }) => lost))];
  if (why.length === 0) return { state: "works", why };
  if (looked.every(({ isKnown }) => !isKnown)) return { state: "not possible", why };
  const isHeard = looked.some(({ isKnown, can }) => isKnown && can);
  return { state: isHeard ? "in part" : "as observer", why };
}

/** Is this what an agent's event becomes, always or sometimes? */
export function isEvent(declared, name) {
  return declared.name === name || (declared.also ?? []).includes(name);
}

function reachAt(name, policy, agent, { EVENTS, STAGES }) {
  const declared = Object.values(agent.events).filter((one) => isEvent(one, name));
  if (declared.length === 0) {
    const said = Object.entries(agent.because).filter(([about]) => about.startsWith(`${name} `));
    const lost = said.length > 0 ? said.map(([, text]) => text) : [`There is no event for ${code(name)}.`];
    return { isKnown: false, can: false, lost };
  }
  const can = new Set(declared.flatMap((one) => one.can));
  const needed = verdictsAt(name, policy, { EVENTS, STAGES }).filter((kind) => !DISPENSABLE.has(kind));
  const missing = needed.filter((kind) => !can.has(kind));
  const lost = missing.map(
    (kind) => agent.because[`${name} ${kind}`] ?? `No ${code(kind)} is carried out at ${code(name)}.`,
  );
  return { isKnown: true, can: missing.length < needed.length || needed.length === 0, lost };
}

/** Those that its source names and that are legal there; a policy that speaks through its domain may give all of them. */
function verdictsAt(name, { id, stage }, { EVENTS, STAGES }) {
  const source = fs.readFileSync(path.join(root, `src/policies/${id}.ts`), "utf8");
  const said = new Set([...source.matchAll(SPOKEN)].map(([, kind]) => kind));
  const legal = EVENTS[name].verdicts.filter((kind) => STAGES[stage].verdicts.includes(kind));
  const isStop = legal.includes("hold");
  const given = legal.filter((kind) => (said.size > 0 ? said.has(kind) : isStop && kind !== "notice"));
  // A message for a person beside something else loses nothing that the policy is there for.
  return said.size > 1 ? given.filter((kind) => kind !== "notice") : given;
}
