// docs/origins/oh-my-claudecode.md: each of its 31 hooks, what does the same here, its tests, and what is different.
import { code, page, plain, section, table } from "../markdown.mjs";
import { SUITES } from "./data/oh-my-claudecode/suites.mjs";
import { GROUPS, NOT_YET } from "./data/oh-my-claudecode.mjs";
import { THEIRS } from "./data/systems.mjs";
import { hookRow } from "./hook-row.mjs";
import { SUITE_HEAD, suiteCells } from "./suite-row.mjs";

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
    "[guide](../guides/omc.md), the modes in [theirs](../guides/modes.md), and what its text promises beyond the names of its",
    "hooks is on the [page of all five systems](README.md).",
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
        differing.flatMap(({ hook, differs }) => differs.map(([what, why]) => [code(hook), plain(what), plain(why)])),
      ),
    ),
    ...section("Cases", [
      "Of the hooks that came with a suite of tests:",
      "",
      ...table(
        SUITE_HEAD,
        data.SUITES.map((suite) =>
          isHere(suite) ? suiteCells(suite, PAGE) : [code(suite.hook), String(suite.cases), LATER, ""],
        ),
      ),
    ]),
  );
}

const HOOK_COLUMNS = ["hook", "here", "events", "standard", "tests"];

function hookCells(hook, sources) {
  const row = hookRow(hook, sources, PAGE);
  return HOOK_COLUMNS.map((column) => row[column]);
}
