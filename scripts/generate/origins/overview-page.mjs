// docs/origins/README.md: every hook and every promise of all five systems, what does the same here, and what is different.
import { code, page, plain, section, table } from "../markdown.mjs";
import { promiseCells } from "./acceptance-page.mjs";
import { SYSTEMS } from "./data/systems.mjs";
import { hookRow } from "./hook-row.mjs";
import { SUITE_HEAD, suiteCells } from "./suite-row.mjs";

const PAGE = "docs/origins/README.md";
const words = (text) => text.split(" ").filter((word) => word !== "");

/** `systems` is for tests. */
export function overviewPage(sources, systems = SYSTEMS) {
  const known = systems.map((system) => rowsOf(system, sources));
  return page(
    "Where everything of the five systems is",
    "Every hook and every promise of the five systems, with the policy or command that does the same here, its tests, what",
    "applies if nobody sets anything, and what is different with the reason. This page is not written when a row is missing,",
    "when a test that it names does not exist, or when a difference has no reason. Where the systems contradict each other:",
    "[when five systems disagree](../guides/conflicts.md).",
    "",
    ...table(
      ["system", "hooks", "promises", "cases of its suites", "its own page", "guide"],
      known.map(({ system, hooks, promises, suites }) => [
        `[${system.name}](#${system.name})`,
        String(hooks.length),
        String(promises.length),
        String(suites.reduce((sum, [, cases]) => sum + Number(cases), 0) || "none were counted"),
        `[${system.name}](${system.name}.md)`,
        `[${system.guide}](../guides/${system.guide})`,
      ]),
    ),
    "",
    ...known.flatMap(({ system, hooks, promises, suites }) => [
      ...section(system.name, table(HOOK_HEAD, hooks)),
      ...(promises.length === 0 ? [] : [`### Promises of ${system.name}`, "", ...table(PROMISE_HEAD, promises), ""]),
      ...(suites.length === 0 ? [] : [`### Suites of ${system.name}`, "", ...table(SUITE_HEAD, suites), ""]),
    ]),
  );
}

const HOOK_HEAD = ["hook", "here", "if nobody sets it", "tests", "different, because"];
const PROMISE_HEAD = ["of", "promised", "here", "if nobody sets it", "shown by", "different, because"];

function rowsOf(system, sources) {
  const where = `${PAGE}: ${system.name}`;
  const { hooks, groups, suites } = system.rows;
  const hookRows = new Map(
    words(system.theirs).map((name) => {
      const row = found(hooks, "hook", name, `${where}: the hook ${name}`);
      return [name, hookRow(row, sources, where)];
    }),
  );
  const promises = Object.entries(system.promises).flatMap(([title, count]) => {
    const what = `${where}: ${title}`;
    const group = found(groups, "title", title, what);
    if (group.demands.length < count) throw new Error(`${what} has ${count} promises, of which a row is missing`);
    const ofGroup = whereItIs(group, hookRows, sources, what);
    return group.demands.map(([promise, ...parts]) => {
      const { here, standard } = policiesOf(parts, sources, what) ?? ofGroup;
      const { shownBy, different } = promiseCells(`${what}, "${promise}"`, parts);
      return [plain(title), plain(promise), here, standard, shownBy, different];
    });
  });
  return {
    system,
    hooks: [...hookRows.values()].map(({ hook, here, standard, tests, different }) => [
      hook,
      here,
      standard,
      tests,
      different,
    ]),
    promises,
    suites: words(system.suites).map((name) =>
      suiteCells(found(suites, "hook", name, `${where}: the suite ${name}`), where),
    ),
  };
}

function found(rows, key, name, what) {
  const row = rows.find((one) => one[key] === name);
  if (row === undefined) throw new Error(`${what} has no row`);
  return row;
}

/** The policies whose own tests show a promise. */
function policiesOf(parts, sources, what) {
  const own = parts.flatMap(({ file }) => /^src\/policies\/(.+)\.test\.ts$/.exec(file ?? "")?.[1] ?? []);
  return own.length === 0 ? undefined : hookRow({ hook: "", policies: [...new Set(own)], tests: [] }, sources, what);
}

/** The policies of the hooks that a group of promises is about, or the commands that it names itself. */
function whereItIs({ hooks = [], commands = [] }, hookRows, sources, what) {
  if (commands.length > 0) return hookRow({ hook: "", commands, tests: [] }, sources, what);
  const rows = hooks.map((name) => {
    const row = hookRows.get(name);
    if (row === undefined) throw new Error(`${what} is about the hook ${name}, which has no row`);
    return row;
  });
  if (rows.length === 0) throw new Error(`${what} is about no hook and no command`);
  if (rows.length > 1) return { here: `its hooks ${hooks.map(code).join(", ")}`, standard: "see there" };
  return rows[0];
}
