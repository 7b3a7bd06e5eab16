import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../core/event.ts";
import { splitFromJson } from "./split.ts";

const task = (id: Json, files: Json = [], more: JsonObject = {}): JsonObject => ({
  id,
  description: `Do ${id}`,
  files,
  ...more,
});
const blocked = (id: string, ...blockedBy: Json[]): JsonObject => task(id, [], { blockedBy });
const split = (...subtasks: readonly Json[]) => splitFromJson({ subtasks });

function problemOf(value: Json): string {
  const found = splitFromJson(value);
  return "problem" in found ? found.problem : "";
}

describe("a split of a model", () => {
  it("is read with its defaults", () => {
    const value = {
      subtasks: [
        { id: "api", description: " Build the API ", files: ["src/api/"], agentType: "executor-high", model: "opus" },
        { id: 2, description: "Web", files: ["./src/web/*.ts"], blockedBy: ["api", "api"], agentType: "x", model: 5 },
        { id: "3", description: "Docs" },
      ],
      sharedFiles: ["src/types.ts"],
      parallelGroups: [["3"], ["2", "api"]],
    };
    expect(splitFromJson(value)).toEqual({
      subtasks: [
        {
          id: "api",
          description: "Build the API",
          files: ["src/api"],
          blockedBy: [],
          agentType: "executor-high",
          model: "opus",
        },
        {
          id: "2",
          description: "Web",
          files: ["src/web/*.ts"],
          blockedBy: ["api"],
          agentType: "executor",
          model: "sonnet",
        },
        { id: "3", description: "Docs", files: [], blockedBy: [], agentType: "executor", model: "sonnet" },
      ],
      sharedFiles: ["src/types.ts"],
      parallelGroups: [["api", "3"], ["2"]],
    });
  });

  it.each<[string, Json, string]>([
    ["text", "split", "The split must be an object with a list `subtasks`."],
    ["a list", [task("1")], "The split must be an object with a list `subtasks`."],
    ["subtasks that are no list", { subtasks: {} }, "The split must be an object with a list `subtasks`."],
    ["no subtasks", { subtasks: [] }, "The split has no subtasks."],
    [
      "a subtask that is no object",
      { subtasks: [task("1"), "2"] },
      "Subtask number 2 has no `id`, or a very long one.",
    ],
    ["no id", { subtasks: [task("")] }, "Subtask number 1 has no `id`"],
    ["a long id", { subtasks: [task("x".repeat(65))] }, "Subtask number 1 has no `id`"],
    ["no description", { subtasks: [{ id: "1", description: " " }] }, "Subtask 1 has no `description`."],
    ["an id twice", { subtasks: [task("1"), task(1)] }, "Two subtasks have the id 1."],
    ["files that are no list", { subtasks: [task("1", "a.ts")] }, "Subtask 1 must give its files as a list of paths."],
    ["a file that is no text", { subtasks: [task("1", [5])] }, "Subtask 1 must give its files as a list of paths."],
    ["shared files that are no list", { subtasks: [task("1")], sharedFiles: "a" }, "The list `sharedFiles` must give"],
    [
      "blockers that are no list",
      { subtasks: [task("1", [], { blockedBy: "2" })] },
      "`blockedBy` of subtask 1 must be",
    ],
    ["too many files", { subtasks: [task("1", new Array(101).fill("a"))] }, "Subtask 1 has more than 100 files."],
  ])("is refused: %s", (_name, value, expected) => {
    expect(problemOf(value)).toContain(expected);
  });

  it("is refused with more than five subtasks", () => {
    const tasks = ["1", "2", "3", "4", "5", "6"].map((id) => task(id));
    expect(problemOf({ subtasks: tasks })).toBe(
      "The split has 6 subtasks, but at most 5 workers run. Merge some of them.",
    );
    expect(problemOf({ subtasks: tasks.slice(1) })).toBe("");
  });
});

describe("a path is refused", () => {
  it.each([
    ["/etc/passwd", "the absolute path `/etc/passwd`. Write paths relative to the project."],
    ["~/a", "the absolute path `~/a`."],
    ["C:\\a", "the absolute path `C:\\a`."],
    ["\\\\server\\a", "the absolute path"],
    ["../a", "the path `../a`, which leads out of the project."],
    ["src/../../a", "the path `src/../../a`, which leads out"],
    ["..", "the path `..`, which leads out"],
    ["src/{a,../../b}", "the path"],
    ["{..,a}/b", "the path"],
    ["src/*/../../a", ""],
    ["src/*/../../../a", "the path `src/*/../../../a`, which leads out"],
    ["!src/a", "the exclusion `!src/a`."],
    ["", "an empty path."],
    [" ", "an empty path."],
    ["a\nb", "a path with a control character: `a?b`."],
    ["a\0b", "a path with a control character: `a?b`."],
    ["x".repeat(301), "a path of more than 300 characters"],
    ["src/..a", ""],
    ["src/a..b/c", ""],
    ["~a", ""],
    ["src/../lib/a.ts", ""],
  ])("%j: %s", (file, expected) => {
    const problem = problemOf({ subtasks: [task("1", ["ok.ts", file])] });
    if (expected === "") expect(problem).toBe("");
    else expect(problem).toContain(`Subtask 1 has ${expected}`);
  });

  it("in the shared files as well", () => {
    expect(problemOf({ subtasks: [task("1")], sharedFiles: ["../a"] })).toBe(
      "The list `sharedFiles` has the path `../a`, which leads out of the project.",
    );
  });
});

describe("files of two subtasks", () => {
  it.each<[string, readonly string[], readonly string[], string]>([
    ["the same", ["src/a.ts"], ["x", "src/a.ts"], "Subtasks 1 and 2 both have `src/a.ts`."],
    ["the same, written in another way", ["./src//a.ts"], ["src/x/../a.ts"], "Subtasks 1 and 2 both have `src/a.ts`."],
    ["a file in a folder", ["src/"], ["src/a.ts"], "`src/a.ts` of subtask 2 is in `src`, which belongs to subtask 1."],
    ["the other way round", ["src/a.ts"], ["src"], "`src/a.ts` of subtask 1 is in `src`, which belongs to subtask 2."],
    ["the whole project", ["."], ["src/a.ts"], "`src/a.ts` of subtask 2 is in `.`, which belongs to subtask 1."],
    ["a glob and a file", ["src/*.ts"], ["src/a.ts"], "`src/*.ts` of subtask 1 and `src/a.ts` of subtask 2 can mean"],
    ["a glob and a folder", ["src/**/*.ts"], ["src/api"], "`src/**/*.ts` of subtask 1 and `src/api` of subtask 2"],
    ["two globs", ["src/a*"], ["src/*b"], "`src/a*` of subtask 1 and `src/*b` of subtask 2 can mean the same file."],
    ["names like globs", ["app/[id]"], ["app/[id]/page.tsx"], "`app/[id]/page.tsx` of subtask 2 is in `app/[id]`"],
  ])("may not meet: %s", (_name, one, other, expected) => {
    expect(problemOf({ subtasks: [task("1", one), task("2", other)] })).toContain(expected);
  });

  it("may not meet where neither is the first subtask", () => {
    const problem = problemOf({ subtasks: [task("1", ["lib"]), task("2", ["src"]), task("3", ["docs", "src"])] });
    expect(problem).toBe(
      "Subtasks 2 and 3 both have `src`. Give each file to one subtask only, or list it in `sharedFiles` for the coordinator.",
    );
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ["names that begin alike", ["src/api"], ["src/api2", "src/api.ts"]],
    ["globs of other endings", ["src/**/*.ts"], ["src/**/*.css"]],
    ["the same file in one of them twice", ["a.ts", "./a.ts"], ["b.ts"]],
    ["other case", ["src/A.ts"], ["src/a.ts"]],
  ])("may be alike: %s", (_name, one, other) => {
    expect(problemOf({ subtasks: [task("1", one), task("2", other)] })).toBe("");
  });

  it("that are shared go to the coordinator", () => {
    const shared = splitFromJson({
      subtasks: [
        task("1", ["src/a.ts", "package.json", "types/a.ts", "lib/x.ts", "types"]),
        task("2", ["./package.json", "src/b.ts", ".github/ci.yml", "types/*.ts", "libs"]),
      ],
      sharedFiles: ["./types/", "lib/*.ts"],
    });
    expect(shared).toMatchObject({
      subtasks: [{ files: ["src/a.ts"] }, { files: ["src/b.ts", "libs"] }],
      sharedFiles: ["types", "lib/*.ts", "package.json", "types/a.ts", "lib/x.ts", ".github/ci.yml", "types/*.ts"],
    });
  });
});

describe("subtasks that are blocked", () => {
  it.each<[string, readonly JsonObject[], readonly (readonly string[])[]]>([
    ["by nothing", [blocked("1"), blocked("2")], [["1", "2"]]],
    ["one by another", [blocked("1", "2"), blocked("2")], [["2"], ["1"]]],
    ["by two", [blocked("1"), blocked("2"), blocked("3", "1", 2), blocked("4", "3")], [["1", "2"], ["3"], ["4"]]],
    [
      "over two ways",
      [blocked("1"), blocked("2", "1"), blocked("3", "1"), blocked("4", "3", "2")],
      [["1"], ["2", "3"], ["4"]],
    ],
  ])("start in groups: %s", (_name, subtasks, parallelGroups) => {
    expect(split(...subtasks)).toMatchObject({ parallelGroups });
  });

  it.each<[string, readonly JsonObject[], string]>([
    ["by itself", [blocked("1", "1")], "Subtask 1 is blocked by itself, so it could never start."],
    ["by each other", [blocked("1", "2"), blocked("2", "1")], "Subtasks 1, 2 block each other, so none of them"],
    [
      "by a cycle of others",
      [blocked("0"), blocked("1", "0", "2"), blocked("2", "3"), blocked("3", "4"), blocked("4", "2")],
      "Subtasks 2, 3, 4 block each other",
    ],
    ["by an unknown one", [blocked("1", "9")], "Subtask 1 is blocked by 9, but there is no such subtask."],
    ["by a name of JavaScript", [blocked("1", "__proto__")], "Subtask 1 is blocked by __proto__, but there is no such"],
    ["by what is no id", [blocked("1", { id: "2" })], "Subtask 1 is blocked by an empty id, but there is no such"],
  ])("are refused: %s", (_name, subtasks, expected) => {
    expect(problemOf({ subtasks })).toContain(expected);
  });
});
