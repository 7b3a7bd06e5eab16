// One hook of another system: what does the same here, when it is on, its tests, and what is different.
import { code, codes } from "../markdown.mjs";
import { differenceText, fileLink } from "./test-names.mjs";

/**
 * The cells of a hook's row. `policies`: their events and defaults are read from them, their own tests are named by
 * themselves; `nothing`: why nothing does the same here.
 */
export function hookRow(row, sources, where) {
  const { hook, policies = [], commands = [], tests, standard, nothing, differs = [] } = row;
  const what = `${where}: the hook ${hook}`;
  const { found, here } = namedHere(row, sources, what);
  if (here.length === 0 && !nothing?.trim()) throw new Error(`${what} has neither policy nor command`);
  return {
    hook: code(hook),
    here: here.length === 0 ? `nothing: ${nothing}` : here.join(", "),
    events: eventsOf(found, sources),
    standard: standardOf({ found, commands, standard }, sources),
    tests: [...policies.map((id) => `src/policies/${id}.test.ts`), ...tests]
      .map((file) => fileLink(what, file))
      .join(", "),
    differences: differs.map(([what, why]) => ({ what, why })),
    different: differs.map(([is, why]) => differenceText(what, { what: is, why })).join("; "),
  };
}

/** The policies and commands that are named, which must exist. */
function namedHere({ policies = [], commands = [] }, sources, what) {
  const found = policies.map((id) => {
    const policy = sources.policies.find((one) => one.id === id);
    if (policy === undefined) throw new Error(`${what} names the policy ${id}, which does not exist`);
    return policy;
  });
  const missing = commands.find((name) => !sources.commands.some((one) => one.name === name));
  if (missing !== undefined) throw new Error(`${what} names the command ${missing}, which does not exist`);
  const here = [
    ...policies.map((id) => `[${id}](../policies/${id}.md)`),
    ...commands.map((name) => `[${code(`hookwright ${name}`)}](../cli.md)`),
  ];
  return { found, here };
}

function eventsOf(policies, { CLAUDE_EVENTS }) {
  const ours = new Set(policies.flatMap(({ on, settled }) => [...Object.keys(on), ...Object.keys(settled ?? {})]));
  return codes(Object.keys(CLAUDE_EVENTS).filter((name) => ours.has(CLAUDE_EVENTS[name])));
}

function standardOf({ found, commands, standard }, { PROFILES, packsOf }) {
  const modeOf = ({ id, defaultMode }) => {
    if (defaultMode === "off") return "off";
    const pack = id.split("/")[0];
    return packsOf([]).has(pack) ? "on" : `on with ${codes(PROFILES.filter((name) => packsOf([name]).has(pack)))}`;
  };
  const modes = [...new Set(found.map(modeOf))];
  const command = found.length === 0 && commands.length > 0 ? ["a command"] : [];
  return [[...modes, ...command].join(", "), standard ?? ""].filter((text) => text !== "").join("; ");
}
