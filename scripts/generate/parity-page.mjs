// docs/origins/oh-my-claudecode.md: each of its 31 hooks, what does the same here, its tests, and what is different.
import fs from "node:fs";
import path from "node:path";
import { SUITES } from "./acceptance/oh-my-claudecode/suites.mjs";
import { GROUPS, NOT_YET } from "./acceptance/oh-my-claudecode.mjs";
import { casesIn, samplesIn } from "./count-cases.mjs";
import { code, codes, page, plain, section, table } from "./markdown.mjs";
import { root } from "./sources.mjs";

/** The hooks by the groups of its own documentation. */
export const THEIRS = {
  "Execution modes": "autopilot ultrawork ralph ultrapilot swarm ultraqa mode-registry persistent-mode",
  Validation: "thinking-block-validator empty-message-sanitizer comment-checker permission-handler",
  Recovery: "recovery preemptive-compaction pre-compact",
  Enhancement: "rules-injector directory-readme-injector notepad learner agent-usage-reminder",
  Detection: "keyword-detector think-mode auto-slash-command non-interactive-env plugin-patterns",
  Coordination: "todo-continuation omc-orchestrator subagent-tracker session-end background-notification",
  Setup: "setup",
};
const LATER = "not here yet";
const PAGE = "docs/origins/oh-my-claudecode.md";

/** `data` is for tests. */
export function parityPage(sources, data = { GROUPS, NOT_YET, SUITES }) {
  const groups = Object.entries(THEIRS).map(([group, names]) => {
    const known = data.GROUPS.find((one) => one.group === group)?.hooks ?? [];
    const hooks = names.split(" ").map((name) => {
      const row = known.find(({ hook }) => hook === name);
      if (row === undefined) throw new Error(`${PAGE}: the hook ${name} of the group ${group} is missing`);
      return row;
    });
    return { group, hooks };
  });
  const all = groups.flatMap(({ hooks }) => hooks);
  const isHere = ({ hook }) => !data.NOT_YET.includes(hook);
  const differing = all.filter(isHere).filter(({ differs }) => differs.length > 0);
  const different = differing.reduce((sum, { differs }) => sum + differs.length, 0);
  return page(
    "What oh-my-claudecode's hooks do, and where it is here",
    `oh-my-claudecode has ${all.length} hooks. Each has a policy here, or a command where the agent has no event for it. This`,
    "page is not written when a hook is missing, when a test that it names does not exist, when something is different without",
    `a reason, or when a suite has fewer cases than theirs. ${different} things are different on purpose; the switches are in the`,
    "[guide](../guides/omc.md), the modes in [theirs](../guides/modes.md).",
    "",
    ...groups.flatMap(({ group, hooks }) =>
      section(
        group,
        table(
          ["hook", "here", "events", "if nobody sets it", "tests"],
          hooks.map((hook) => (isHere(hook) ? hookCells(hook, sources) : [code(hook.hook), LATER, "", "", ""])),
        ),
      ),
    ),
    ...section(
      "What is different",
      table(
        ["hook", "here", "because"],
        differing.flatMap(({ hook, differs }) => differs.map((one) => differenceCells(hook, one))),
      ),
    ),
    ...section("Cases", [
      "Of the hooks that came with a suite of tests:",
      "",
      ...table(
        SUITE_HEAD,
        data.SUITES.map((suite) =>
          isHere(suite) ? suiteCells(suite) : [code(suite.hook), String(suite.cases), LATER, ""],
        ),
      ),
    ]),
  );
}

function hookCells({ hook, policies, commands = [], tests, standard }, sources) {
  const found = policies.map((id) => {
    const policy = sources.policies.find((one) => one.id === id);
    if (policy === undefined) throw new Error(`${PAGE}: the hook ${hook} names the policy ${id}, which does not exist`);
    return policy;
  });
  const missing = commands.filter((name) => !sources.commands.some((one) => one.name === name));
  if (missing.length > 0)
    throw new Error(`${PAGE}: the hook ${hook} names the command ${missing[0]}, which does not exist`);
  if (found.length + commands.length === 0) throw new Error(`${PAGE}: the hook ${hook} has neither policy nor command`);
  const here = [
    ...policies.map((id) => `[${id}](../policies/${id}.md)`),
    ...commands.map((name) => `[${code(`hookwright ${name}`)}](../cli.md)`),
  ];
  const own = policies.map((id) => `src/policies/${id}.test.ts`);
  return [
    code(hook),
    here.join(", "),
    eventsOf(found, sources),
    standardOf(found, standard),
    linksTo(hook, [...own, ...tests]),
  ];
}

function eventsOf(policies, { CLAUDE_EVENTS }) {
  const ours = new Set(policies.flatMap(({ on, settled }) => [...Object.keys(on), ...Object.keys(settled ?? {})]));
  return codes(Object.keys(CLAUDE_EVENTS).filter((name) => ours.has(CLAUDE_EVENTS[name])));
}

function standardOf(policies, standard) {
  if (policies.length === 0) return "a command";
  const modes = [...new Set(policies.map(({ defaultMode }) => (defaultMode === "off" ? "off" : "on with `omc`")))];
  return [modes.join(", "), ...(standard === undefined ? [] : [standard])].join("; ");
}

function linksTo(hook, files) {
  return files
    .map((file) => {
      if (!fs.existsSync(path.join(root, file)))
        throw new Error(`${PAGE}: the hook ${hook} names ${file}, which does not exist`);
      const folder = file.startsWith("test/e2e/") ? "e2e/" : "";
      return `[${folder}${path.basename(file)}](../../${file})`;
    })
    .join(", ");
}

function differenceCells(hook, [what, why]) {
  if (!what?.trim() || !why?.trim()) throw new Error(`${PAGE}: a difference of the hook ${hook} has no reason`);
  return [code(hook), plain(what), plain(why)];
}

const SUITE_HEAD = ["hook", "cases there", "counterparts", "cases here"];

function suiteCells({ hook, cases, files, samples = [] }) {
  const counted = [...files.map((file) => [file, casesIn(file)]), ...samples.map((file) => [file, samplesIn(file)])];
  const total = counted.reduce((sum, [, count]) => sum + count, 0);
  if (total < cases) throw new Error(`${PAGE}: the suite of ${hook} had ${cases} cases, its counterparts are ${total}`);
  const links = counted.map(([file, count]) => `[${path.basename(file)}](../../${file}): ${count}`);
  return [code(hook), String(cases), links.join("; "), String(total)];
}
