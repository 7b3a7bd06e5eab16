// plugin/omc/hooks/hooks.json: the events that the policies of its profile and the engine need.

const PROFILE = "omc";
const DESCRIPTION =
  "Execution modes. Nothing is held and nothing is written into the project until a person starts a mode.";
const TIMEOUT_S = 5;
/** The client gives all hooks at the end of a session 1.5 seconds, so the answer has to come earlier. */
const AT_THE_END = { timeout: 1.5, args: ["--deadline-ms", "1200"] };

export function omcHooks({ policies, CLAUDE_EVENTS, ENGINE_EVENTS, packsOf }) {
  const packs = packsOf([PROFILE], true);
  const own = policies.filter(({ id }) => packs.has(id.split("/")[0]));
  const handled = new Set([
    ...ENGINE_EVENTS,
    ...own.flatMap(({ on, settled }) => [...Object.keys(on), ...Object.keys(settled ?? {})]),
  ]);
  const names = Object.keys(CLAUDE_EVENTS).filter((name) => handled.has(CLAUDE_EVENTS[name]));
  const hooks = names.map((name) => [name, [{ hooks: [handler(name)] }]]);
  return { description: DESCRIPTION, hooks: Object.fromEntries(hooks) };
}

function handler(event) {
  const { timeout, args } = event === "SessionEnd" ? AT_THE_END : { timeout: TIMEOUT_S, args: [] };
  // Without `--event`: with it, an event that cannot be read would be blocked, and a mode never does that.
  const ours = ["--via", "plugin", "--profile", PROFILE, "--reply", "json"];
  return {
    type: "command",
    command: "node",
    args: [`\${CLAUDE_PLUGIN_ROOT}/runtime/hook.cjs`, ...ours, ...args],
    timeout,
  };
}
