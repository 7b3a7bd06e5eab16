import { describe, expect, it } from "vitest";
import { fastestMs } from "../../../test/support/cost.ts";
import { parsePlan } from "./document.ts";
import { totalOf } from "./status.ts";

const FILE = "docs/plans/2026-02-16-login-design.md";
const table = (...rows: string[]): string =>
  ["| # | Task | Depends On | Status |", "|---|---|---|---|", ...rows].join("\n");
const plan = (...parts: string[]) => parsePlan(parts.join("\n\n"), FILE);
const inTasks = (...rows: string[]) => plan("# T", "## Implementation Tasks", table(...rows));
const statuses = (document: string): (string | undefined)[] =>
  parsePlan(document, FILE).tasks.map((task) => task.status);

describe("the title", () => {
  it.each([
    ["the first heading of the first rank", "**Status:** done\n\n# Login\n\n# Other", "Login"],
    ["not one of another rank", "## Problem\n\n# Login", "Login"],
    ["not one in a code sample", "```sh\n# a comment\n```\n\n# Login", "Login"],
    ["not one in a comment", "<!--\n# Draft\n-->\n# Login", "Login"],
    ["with bars in it", "# Login | now", "Login | now"],
    ["without its closing marks", "# Login ##", "Login"],
    ["after an empty line", "\n# Login", "Login"],
    ["behind a byte order mark", "\uFEFF# Login", "Login"],
    ["with the line ends of another system", "# Login\r\n\r\ntext", "Login"],
    ["else the name of the file", "no heading here", "2026-02-16-login-design"],
    ["also when the heading is empty", "# \n\ntext", "2026-02-16-login-design"],
    ["also when the file is empty", "", "2026-02-16-login-design"],
    ["`#word` is no heading", "#Login", "2026-02-16-login-design"],
  ])("is %s", (_name, text, title) => {
    expect(parsePlan(text, FILE).title).toBe(title);
  });
});

describe("the slug", () => {
  it.each([
    ["what the document says", "# T\n\n**Slug:** plugin-hooks\n", FILE, "plugin-hooks"],
    ["else the file's name without date and ending", "# T", FILE, "login"],
    ["whatever the name is", "# T", "plans/todo.md", "todo"],
  ])("is %s", (_name, text, file, slug) => {
    expect(parsePlan(text, file).slug).toBe(slug);
  });
});

describe("statuses", () => {
  it("are counted one by one, and those that nobody has are zero", () => {
    const { counts } = inTasks("| 1 | a | — | complete |", "| 2 | b | 1 | pending |");
    expect(counts).toEqual({ complete: 1, pending: 1, "in-progress": 0, blocked: 0, escalated: 0 });
    expect(totalOf(counts)).toBe(2);
  });

  it("of every kind are known", () => {
    const rows = ["pending", "in-progress", "complete", "blocked", "escalated", "review-fix-1", "review-fix-12"];
    const { counts } = inTasks(...rows.map((status, at) => `| ${at} | x | — | ${status} |`));
    expect(counts).toEqual({ pending: 1, "in-progress": 3, complete: 1, blocked: 1, escalated: 1 });
  });

  it.each([
    ["one cell too many in every row", "| 1 | a | — | complete | impl-1 |", ["complete"]],
    ["one cell too few", "| 1 | a | pending |", ["pending"]],
    ["a bar inside the text", "| 1 | grep `a | b` | — | blocked |", ["blocked"]],
    ["a bar that is escaped", "| 1 | a \\| b | — | pending |", ["pending"]],
    ["no bars at the ends", "1 | a | — | pending", ["pending"]],
    ["no blanks", "|1|a|—|pending|", ["pending"]],
    ["emphasis and another case", "| 1 | a | — | **Complete** |", ["complete"]],
    ["a code span", "| 1 | a | — | `in-progress` |", ["in-progress"]],
    ["a word that only contains one", "| 1 | a | — | incomplete |", [undefined]],
    ["nothing", "| 1 | a | — | |", [undefined]],
    ["a review without a number", "| 1 | a | — | review-fix- |", [undefined]],
  ])("are found in a row with %s", (_name, row, expected) => {
    expect(statuses(`## Implementation Tasks\n\n${table(row)}`)).toEqual(expected);
  });

  it.each([
    ["bars at the ends", "| 7 | a | 1 | pending |"],
    ["no bars at the ends", "7 | a | 1 | pending"],
    ["no blanks", "|7|a|1|pending|"],
    ["no closing bar", "| 7 | a | 1 | pending"],
  ])("do not shift the other cells: %s", (_name, row) => {
    const [task] = inTasks(row).tasks;
    expect([task?.id, task?.text, task?.dependsOn, task?.status]).toEqual(["7", "a", ["1"], "pending"]);
  });

  it("keep their place behind an empty cell", () => {
    expect(inTasks("| 1 | pending || complete |").tasks[0]).toMatchObject({ status: "complete", dependsOn: [] });
  });

  it("prefer their own column, also when it is the first", () => {
    const { tasks } = plan(
      "## Implementation Tasks",
      "| Status | Task | # |\n|---|---|---|\n| complete | pending | 7 |",
    );
    expect(tasks[0]).toMatchObject({ id: "7", text: "pending", status: "complete" });
  });

  it("that nobody knows leave the task in the plan, and the cell where it is", () => {
    const { tasks } = plan("## Implementation Tasks", "| Status | Task |\n|---|---|\n| soon | a |");
    expect(tasks[0]).toMatchObject({ text: "a", status: undefined, statusCell: { text: "soon" } });
  });

  it("count below a line of code that is no fence", () => {
    expect(statuses(`## Implementation Tasks\n\n\`\`\`x\`\`\` is code\n\n${table("| 1 | a | — | pending |")}`)).toEqual(
      ["pending"],
    );
  });

  it("in an empty row are no task", () => {
    expect(inTasks("| | | | |", "| 1 | a | — | pending |").tasks).toHaveLength(1);
  });

  it("do not count in a section before the tasks", () => {
    const risks = "| # | Risk | Status |\n|---|---|---|\n| 9 | x | pending |";
    expect(
      plan("# T", "## Risks", risks, "## Implementation Tasks", table("| 1 | a | — | complete |")).tasks,
    ).toHaveLength(1);
  });

  it("prefer their own column to a word in the text", () => {
    expect(inTasks("| 1 | pending | — | complete |").tasks[0]?.status).toBe("complete");
  });

  it.each([
    ["a code sample", "```md\n| 9 | x | — | pending |\n```"],
    ["a code sample of tildes with backticks in it", "~~~\n```\n| 9 | x | — | pending |\n~~~"],
    ["a longer fence around a shorter one", "````\n```\n| 9 | x | — | pending |\n```\n| 9 | x | — | pending |\n````"],
    ["a fence that never ends", "```\n| 9 | x | — | pending |"],
    ["an indented code sample", "    | 9 | x | — | pending |"],
    ["a comment", "<!-- \n| 9 | x | — | pending |\n-->"],
    ["another section", "## Risks\n\n| # | Risk | Status |\n|---|---|---|\n| 9 | x | pending |"],
    ["another table of the section", "### Who\n\n| Agent | Files |\n|---|---|\n| a | src |"],
    ["a sentence", "The status | pending | is the first one."],
  ])("in %s do not count", (_name, more) => {
    const { tasks, counts } = plan("## Implementation Tasks", table("| 1 | a | — | complete |"), more);
    expect(tasks).toHaveLength(1);
    expect(counts).toMatchObject({ complete: 1, pending: 0 });
  });

  it("count in every table below the heading, down to the next one of its rank", () => {
    const parts = ["## Implementation Tasks", "### Wave 1", table("| 1 | a | — | complete |"), "### Wave 2"];
    const { tasks } = plan(...parts, table("| 2 | b | 1 | pending |"), "## After", table("| 3 | c | — | pending |"));
    expect(tasks.map((task) => task.id)).toEqual(["1", "2"]);
  });

  it("count in a table that has a column for them when no heading says where the tasks are", () => {
    const { tasks } = plan(
      "# T",
      table("| 1 | a | — | pending |"),
      "| Event | Status |\n|---|---|\n| Stop | pending |",
    );
    expect(tasks.map((task) => task.id)).toEqual(["1"]);
  });

  it.each([
    ["the status first", "| Status | Task |\n|---|---|\n| pending | a |"],
    ["a number first", "| # | Status |\n|---|---|\n| 1 | pending |"],
    ["the text first", "| Task | Status |\n|---|---|\n| a | pending |"],
  ])("count without a heading in a table with %s", (_name, rows) => {
    expect(statuses(`# T\n\n${rows}`)).toEqual(["pending"]);
  });

  it("count in a table without a header, also when one row has none", () => {
    const { tasks } = plan("## Implementation Tasks", "| 1 | a | pending |\n| 2 | b | later |");
    expect(tasks.map(({ id, text, status }) => [id, text, status])).toEqual([
      ["1", "a", "pending"],
      ["2", "b", undefined],
    ]);
  });

  it("count in a table without a header that begins with them", () => {
    expect(statuses("## Implementation Tasks\n\n| pending | a |\n| blocked | b |")).toEqual(["pending", "blocked"]);
  });

  it("do not count in lines that are no table", () => {
    expect(statuses("## Implementation Tasks\n\n| a | pending |\nor | so")).toEqual([]);
  });

  it("count in a table without a header", () => {
    expect(statuses("## Implementation Tasks\n\n| 1 | a | pending |\n| 2 | b | complete |")).toEqual([
      "pending",
      "complete",
    ]);
  });

  it("are none when the section has no table", () => {
    expect(plan("## Implementation Tasks", "To be done.", "## More", table("| 1 | a | — | pending |")).tasks).toEqual(
      [],
    );
  });
});

describe("a task", () => {
  it("has its number, its text and what it waits for", () => {
    const rows = [
      "| 1 | first | — |  pending |",
      "| **2** | second | 1 | pending |",
      "| 3 | third | #1, 2 and 4 | pending |",
    ];
    const { tasks } = inTasks(...rows, "| 9 | last | 3-6 | pending |", "| 10 | x | none | pending |");
    expect(tasks.map(({ id, text, dependsOn }) => [id, text, dependsOn])).toEqual([
      ["1", "first", []],
      ["2", "second", ["1"]],
      ["3", "third", ["1", "2", "4"]],
      ["9", "last", ["3", "4", "5", "6"]],
      ["10", "x", []],
    ]);
  });

  it.each([
    ["3-3", ["3"]],
    ["9-3", ["9-3"]],
    ["1-2000", ["1-2000"]],
    ["#4–5.", ["4", "5"]],
    ["T1 & T2", ["T1", "T2"]],
    ["n/a", []],
  ])("waits, given %j, for %j", (cell, expected) => {
    expect(inTasks(`| 1 | a | ${cell} | pending |`).tasks[0]?.dependsOn).toEqual(expected);
  });

  it("may have its text before its number", () => {
    const { tasks } = plan("## Implementation Tasks", "| Task | # | Status |\n|---|---|---|\n| a | 7 | blocked |");
    expect(tasks[0]).toMatchObject({ id: "7", text: "a", status: "blocked" });
  });

  it("knows where its status stands", () => {
    const text = `# T\r\n\r\n## Implementation Tasks\r\n\r\n${table("| 1 | ä € | — |  pending  |").replaceAll("\n", "\r\n")}\r\n`;
    const [task] = parsePlan(text, FILE).tasks;
    expect(task?.line).toBe(7);
    expect(text.slice(task?.statusCell?.start, task?.statusCell?.end)).toBe("pending");
  });

  it("is found in columns of any order", () => {
    const { tasks } = plan("## Implementation Tasks", "| Status | Task | # |\n|---|---|---|\n| blocked | a | 7 |");
    expect(tasks[0]).toMatchObject({ id: "7", text: "a", status: "blocked" });
  });
});

describe("worktrees", () => {
  it("are one for everything", () => {
    const { worktrees, hasWorktrees } = plan("## Worktree", "- **Path:** `/abs/wt`\n- **Branch:** feature/x");
    expect(worktrees).toEqual([{ service: "", path: "/abs/wt", branch: "feature/x" }]);
    expect(hasWorktrees).toBe(true);
  });

  it("are one for each service", () => {
    const rows = "| Service | Path | Branch |\n|---|---|---|\n| api | /abs/api | a |\n| web | `/abs/web` | b |";
    expect(plan("## Worktrees", rows).worktrees).toEqual([
      { service: "api", path: "/abs/api", branch: "a" },
      { service: "web", path: "/abs/web", branch: "b" },
    ]);
  });

  it("may name the path before the service", () => {
    const rows = "| Path | Service |\n|---|---|\n| /abs/api | api |";
    expect(plan("## Worktrees", rows).worktrees).toEqual([{ service: "api", path: "/abs/api", branch: "" }]);
  });

  it("are there even when nothing is filled in", () => {
    expect(plan("## Worktree", "Later.")).toMatchObject({ hasWorktrees: true, worktrees: [] });
  });

  it.each(["# T", "## Working trees", "```\n## Worktree\n```"])("are none in %j", (text) => {
    expect(parsePlan(text, FILE)).toMatchObject({ hasWorktrees: false, worktrees: [] });
  });
});

describe("a plan of 10,000 rows", () => {
  const rows = Array.from(
    { length: 10_000 },
    (_, at) => `| ${at} | Do the thing with the number ${at} | ${at - 1} | pending | a |`,
  );
  const planOf = (some: readonly string[]): string => `# Big\n\n## Implementation Tasks\n\n${table(...some)}\n`;

  it("is read whole, and costs no more than its length", () => {
    const cost = (plan: string, count: number): number =>
      fastestMs(() => expect(parsePlan(plan, FILE).counts.pending).toBe(count), 9);
    const few = planOf(rows.slice(0, 1_000));
    cost(few, 1_000);
    // Ten times the rows must take about ten times as long; a quadratic algorithm would take a hundred times.
    expect(cost(planOf(rows), 10_000)).toBeLessThan(40 * cost(few, 1_000));
  });
});
