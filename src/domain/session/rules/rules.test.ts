import { describe, expect, it } from "vitest";
import { shell, toolBefore } from "../../../testing/events.ts";
import { evaluateRules } from "./evaluate.ts";
import { resolveFiles, resolveText } from "./payload.ts";
import { parseRuleFile, type SessionRule } from "./rule.ts";
import { SHIPPED_RULES } from "./shipped.ts";
import { type TriggerFacts, triggerHolds } from "./triggers.ts";
import { isListed, whitelistQuery } from "./whitelist.ts";

const now = (state?: Record<string, unknown>, more: Partial<TriggerFacts> = {}): TriggerFacts =>
  ({ state, calls: 0, usage: () => undefined, overflowAt: 0.76, ...more }) as TriggerFacts;

/** Does the whitelist let a call with these commands pass? */
const LISTED: readonly { name: string; list: string[]; tool: string; inputs: string[]; is: boolean }[] = [
  { name: "a tool by its name", list: ["AskUserQuestion"], tool: "AskUserQuestion", inputs: [""], is: true },
  { name: "another tool", list: ["AskUserQuestion"], tool: "Write", inputs: [""], is: false },
  { name: "an empty list", list: [], tool: "Read", inputs: ["/a"], is: false },
  { name: "a name that only begins alike", list: ["Read"], tool: "ReadMcpResource", inputs: [""], is: false },
  { name: "a pattern", list: ["Read(*/.claude/*)"], tool: "Read", inputs: ["/home/x/.claude/a.md"], is: true },
  {
    name: "a pattern that does not fit",
    list: ["Read(*/.claude/*)"],
    tool: "Read",
    inputs: ["/home/x/a.md"],
    is: false,
  },
  { name: "a pattern for another tool", list: ["Read(*)"], tool: "Write", inputs: ["/a"], is: false },
  { name: "an engine command", list: ["Bash(engine *)"], tool: "Bash", inputs: ["engine log x"], is: true },
  {
    name: "the program alone does not fit a pattern with words",
    list: ["Bash(engine *)"],
    tool: "Bash",
    inputs: ["engine"],
    is: false,
  },
  { name: "a longer name", list: ["Bash(engine *)"], tool: "Bash", inputs: ["engineer x"], is: false },
  {
    name: "two commands, both listed",
    list: ["Bash(engine *)", "Bash(ls*)"],
    tool: "Bash",
    inputs: ["engine log x", "ls"],
    is: true,
  },
  {
    name: "two commands, one listed",
    list: ["Bash(engine *)"],
    tool: "Bash",
    inputs: ["engine log x", "rm -r y"],
    is: false,
  },
  { name: "a line without commands", list: ["Bash(engine *)"], tool: "Bash", inputs: [], is: false },
  {
    name: "all of a tool beside a pattern",
    list: ["Bash(engine *)", "Bash"],
    tool: "Bash",
    inputs: ["rm x"],
    is: true,
  },
  { name: "a skill", list: ["Skill(dehydrate)"], tool: "Skill", inputs: ["dehydrate"], is: true },
  { name: "another skill", list: ["Skill(dehydrate)"], tool: "Skill", inputs: ["do"], is: false },
  { name: "Agent where the tool is called Task", list: ["Agent"], tool: "Task", inputs: [""], is: true },
  { name: "stars in the middle", list: ["Read(/a/*/c/*.md)"], tool: "Read", inputs: ["/a/x/y/c/z.md"], is: true },
  {
    name: "what a regular expression would read differently",
    list: ["Read(a.c)"],
    tool: "Read",
    inputs: ["abc"],
    is: false,
  },
  {
    name: "a pattern that would take a regular expression for ever",
    list: [`Read(${"*a".repeat(30)})`],
    tool: "Read",
    inputs: [`${"a".repeat(20_000)}b`],
    is: false,
  },
];

describe("a whitelist", () => {
  it.each(LISTED)("$name", ({ list, tool, inputs, is }) => {
    expect(isListed(list, { tool, inputs })).toBe(is);
  });

  it("is asked about what matters of each tool", () => {
    const of = (tool: string, input: Record<string, string>) => {
      const call = toolBefore(tool, input).tool;
      return call ? whitelistQuery(call, ["a", "b"]) : undefined;
    };
    expect(of("Read", { file_path: "/x" })).toEqual({ tool: "Read", inputs: ["/x"] });
    expect(of("Glob", { pattern: "*.ts" })).toEqual({ tool: "Glob", inputs: ["*.ts"] });
    expect(of("Agent", { prompt: "x" })).toEqual({ tool: "Task", inputs: [""] });
    const bash = shell("a; b").tool;
    expect(bash && whitelistQuery(bash, ["a", "b"])).toEqual({ tool: "Bash", inputs: ["a", "b"] });
    expect(of("PowerShell", { command: "a; b" })).toEqual({ tool: "PowerShell", inputs: ["a", "b"] });
  });
});

const HOLDS: readonly { name: string; type: string; condition: object; now: TriggerFacts; is: boolean }[] = [
  {
    name: "context above",
    type: "contextThreshold",
    condition: { gte: 0.5 },
    now: now({}, { usage: () => 0.6 }),
    is: true,
  },
  {
    name: "context at the limit",
    type: "contextThreshold",
    condition: { gte: 0.5 },
    now: now({}, { usage: () => 0.5 }),
    is: true,
  },
  {
    name: "context below",
    type: "contextThreshold",
    condition: { gte: 0.5 },
    now: now({}, { usage: () => 0.49 }),
    is: false,
  },
  { name: "context unknown", type: "contextThreshold", condition: { gte: 0 }, now: now({}), is: false },
  {
    name: "the limit by its name",
    type: "contextThreshold",
    condition: { gte: "OVERFLOW_THRESHOLD" },
    now: now({}, { usage: () => 0.76 }),
    is: true,
  },
  {
    name: "the limit by its name, below",
    type: "contextThreshold",
    condition: { gte: "OVERFLOW_THRESHOLD" },
    now: now({}, { usage: () => 0.75 }),
    is: false,
  },
  {
    name: "the later limit",
    type: "contextThreshold",
    condition: { gte: "OVERFLOW_THRESHOLD" },
    now: now({}, { usage: () => 0.8, overflowAt: 0.95 }),
    is: false,
  },
  { name: "no session", type: "lifecycle", condition: { noActiveSession: true }, now: now(), is: true },
  {
    name: "an active one",
    type: "lifecycle",
    condition: { noActiveSession: true },
    now: now({ lifecycle: "active" }),
    is: false,
  },
  {
    name: "an idle one is one",
    type: "lifecycle",
    condition: { noActiveSession: true },
    now: now({ lifecycle: "idle" }),
    is: false,
  },
  {
    name: "one that resumes",
    type: "lifecycle",
    condition: { noActiveSession: true },
    now: now({ lifecycle: "resuming" }),
    is: false,
  },
  {
    name: "a completed one",
    type: "lifecycle",
    condition: { noActiveSession: true },
    now: now({ lifecycle: "completed" }),
    is: true,
  },
  {
    name: "a lifecycle by its name",
    type: "lifecycle",
    condition: { eq: "idle" },
    now: now({ lifecycle: "idle" }),
    is: true,
  },
  {
    name: "another lifecycle",
    type: "lifecycle",
    condition: { eq: "idle" },
    now: now({ lifecycle: "active" }),
    is: false,
  },
  {
    name: "a phase",
    type: "phase",
    condition: { matches: "Synth" },
    now: now({ currentPhase: "4: Synthesis" }),
    is: true,
  },
  {
    name: "another phase",
    type: "phase",
    condition: { matches: "Synth" },
    now: now({ currentPhase: "2: Build" }),
    is: false,
  },
  { name: "no phase", type: "phase", condition: { matches: "Synth" }, now: now({}), is: false },
  {
    name: "every phase is no condition",
    type: "phase",
    condition: { matches: "" },
    now: now({ currentPhase: "1: A" }),
    is: false,
  },
  {
    name: "a count against a named limit",
    type: "toolCount",
    condition: { field: "n", gte: "toolUseWithoutLogsBlockAfter" },
    now: now({ n: 10 }),
    is: true,
  },
  {
    name: "a count below the named limit",
    type: "toolCount",
    condition: { field: "n", gte: "toolUseWithoutLogsBlockAfter" },
    now: now({ n: 9 }),
    is: false,
  },
  {
    name: "a limit from the state",
    type: "toolCount",
    condition: { field: "n", gte: "mine" },
    now: now({ n: 4, mine: 4 }),
    is: true,
  },
  { name: "a count of no field", type: "toolCount", condition: { gte: 0 }, now: now({ n: 1 }), is: false },
  {
    name: "a count without a session",
    type: "toolCount",
    condition: { field: "n", gte: 0 },
    now: { ...now({}), state: undefined },
    is: false,
  },
  {
    name: "a limit that is nowhere",
    type: "toolCount",
    condition: { field: "n", gte: "nowhere" },
    now: now({ n: 400 }),
    is: false,
  },
  {
    name: "an agent's own count",
    type: "perTranscriptToolCount",
    condition: { gte: 3 },
    now: now({}, { calls: 5 }),
    is: true,
  },
  {
    name: "exactly so many",
    type: "perTranscriptToolCount",
    condition: { eq: 3 },
    now: now({}, { calls: 3 }),
    is: true,
  },
  {
    name: "more is not exactly so many",
    type: "perTranscriptToolCount",
    condition: { eq: 3 },
    now: now({}, { calls: 4 }),
    is: false,
  },
  {
    name: "a count without a session",
    type: "perTranscriptToolCount",
    condition: { gte: 0 },
    now: now(undefined),
    is: false,
  },
  {
    name: "something was found",
    type: "discovery",
    condition: { field: "pendingDirectives", nonEmpty: true },
    now: now({ pendingDirectives: ["/a"] }),
    is: true,
  },
  {
    name: "nothing was found",
    type: "discovery",
    condition: { field: "pendingDirectives", nonEmpty: true },
    now: now({ pendingDirectives: [] }),
    is: false,
  },
  {
    name: "a field that is no list",
    type: "discovery",
    condition: { field: "pid", nonEmpty: true },
    now: now({ pid: 1 }),
    is: false,
  },
  { name: "a type that nobody knows", type: "moonPhase", condition: {}, now: now({}), is: false },
];

describe("a trigger", () => {
  it.each(HOLDS)("$name", ({ type, condition, now: situation, is }) => {
    expect(
      triggerHolds({ trigger: { type, condition: condition as SessionRule["trigger"]["condition"] } }, situation),
    ).toBe(is);
  });
});

const RESOLVED: readonly { name: string; text: string; state: Record<string, unknown>; is: string }[] = [
  { name: "a field as a whole", text: "$skill", state: { skill: "fix" }, is: "fix" },
  { name: "a field inside", text: "now $skill.", state: { skill: "fix" }, is: "now fix." },
  { name: "a number", text: "$n calls", state: { n: 4 }, is: "4 calls" },
  { name: "a list does not fit into a text", text: "read $files", state: { files: ["/a"] }, is: "read $files" },
  { name: "an unknown field stays", text: "$nobody and $skill", state: { skill: "fix" }, is: "$nobody and fix" },
  { name: "what every object has is no field", text: "$constructor", state: {}, is: "$constructor" },
  { name: "money", text: "5 $ and $1", state: {}, is: "5 $ and $1" },
];

describe("a payload", () => {
  it.each(RESOLVED)("$name", ({ text, state, is }) => {
    expect(resolveText(text, state as never)).toBe(is);
  });
  it("files: a list in a field becomes several", () => {
    expect(resolveFiles("$pending", { pending: ["/a", "/b", 3] })).toEqual(["/a", "/b"]);
    expect(resolveFiles(["/x/$skill.md", "$pending"], { skill: "fix", pending: ["/a"] })).toEqual(["/x/fix.md", "/a"]);
    expect(resolveFiles("$none", {})).toEqual(["$none"]);
    expect(resolveFiles(undefined, {})).toEqual([]);
  });
});

const GOOD = { id: "a", trigger: { type: "phase" }, payload: { text: "x" } };
const UNREADABLE: readonly { name: string; file: unknown; says: string }[] = [
  { name: "no list", file: { a: 1 }, says: "list of rules" },
  { name: "no object", file: ["x"], says: "rule 1: it should be an object" },
  { name: "no id", file: [{ ...GOOD, id: 3 }], says: "`id`" },
  { name: "the same id twice", file: [GOOD, GOOD], says: "used twice" },
  { name: "no trigger", file: [{ ...GOOD, trigger: "x" }], says: "rule 1 (a): `trigger`" },
  { name: "no payload", file: [{ ...GOOD, payload: {} }], says: "`payload` says nothing" },
  { name: "files of another type", file: [{ ...GOOD, payload: { files: 3 } }], says: "`payload.files`" },
  { name: "a mode that is none", file: [{ ...GOOD, mode: "shout" }], says: "`mode` should be one of inline" },
  { name: "an urgency that is none", file: [{ ...GOOD, urgency: "now" }], says: "`urgency`" },
  { name: "an inject that is none", file: [{ ...GOOD, inject: "twice" }], says: "`inject`" },
  { name: "a whitelist that is none", file: [{ ...GOOD, whitelist: "Read" }], says: "`whitelist`" },
  { name: "a priority that is none", file: [{ ...GOOD, priority: "high" }], says: "`priority`" },
];

describe("a file of rules", () => {
  it.each(UNREADABLE)("cannot be used: $name", ({ file, says }) => {
    expect(parseRuleFile(JSON.stringify(file))).toContain(says);
  });
  it("cannot be used: no JSON", () => expect(parseRuleFile("[{")).toContain("not valid JSON"));
  it("fills in what is usual", () => {
    expect(parseRuleFile(JSON.stringify({ rules: [GOOD] }))).toEqual([
      {
        id: "a",
        description: "",
        trigger: { type: "phase", condition: {} },
        payload: { text: "x" },
        mode: "inline",
        urgency: "allow",
        inject: "always",
        priority: 100,
        whitelist: [],
      },
    ]);
    expect(parseRuleFile(JSON.stringify([{ ...GOOD, payload: { preload: ["/a"] } }]))).toMatchObject([
      { mode: "preload", payload: { files: ["/a"] } },
    ]);
    expect(parseRuleFile(JSON.stringify([{ ...GOOD, payload: { command: "/x" } }]))).toMatchObject([{ mode: "paste" }]);
  });
});

const rule = (id: string, more: Partial<SessionRule> = {}): SessionRule => ({
  id,
  description: "",
  trigger: { type: "phase", condition: { matches: "Build" } },
  payload: { text: id },
  mode: "inline",
  urgency: "block",
  inject: "always",
  priority: 10,
  whitelist: [],
  ...more,
});
const building = now({ currentPhase: "2: Build" });
const ls = { tool: "Bash", inputs: ["ls"] };
const ids = (rules: readonly SessionRule[]): string[] => rules.map(({ id }) => id);

describe("several rules", () => {
  it("stand in the order of their priority, then of their names", () => {
    const all = [rule("late", { priority: 50 }), rule("b"), rule("a"), rule("first", { priority: 1 })];
    expect(ids(evaluateRules(all, building, ls).rules)).toEqual(["first", "a", "b", "late"]);
  });
  it("let a call pass only when it is on every one's list", () => {
    const both = [rule("a", { whitelist: ["Bash(ls*)"] }), rule("b", { whitelist: ["Bash(cat *)"] })];
    expect(ids(evaluateRules(both, building, ls).blocking)).toEqual(["b"]);
    expect(ids(evaluateRules(both, building, { tool: "Bash", inputs: ["make"] }).blocking)).toEqual(["a", "b"]);
    const shared = both.map((one) => ({ ...one, whitelist: ["Bash(ls*)"] }));
    expect(evaluateRules(shared, building, ls).blocking).toEqual([]);
  });
  it("block or speak, each for itself", () => {
    const mixed = [rule("says", { urgency: "allow" }), rule("stops"), rule("breaks in", { urgency: "interrupt" })];
    const matched = evaluateRules(mixed, building, ls);
    expect(ids(matched.blocking)).toEqual(["breaks in", "stops"]);
    expect(ids(matched.saying)).toEqual(["says"]);
  });
  it("speak once, if they do", () => {
    const once = [rule("a", { inject: "once" }), rule("b")];
    const state = { currentPhase: "2: Build", injectedRules: { a: true } };
    expect(ids(evaluateRules(once, now(state), ls).rules)).toEqual(["b"]);
    expect(ids(evaluateRules(once, building, ls).rules)).toEqual(["a", "b"]);
  });
  it("do not matter when they do not hold", () => {
    expect(evaluateRules([rule("a")], now({ currentPhase: "3: Test" }), ls).rules).toEqual([]);
    expect(evaluateRules([], building, ls).rules).toEqual([]);
  });
});

describe("the rules that come with sessions", () => {
  const blocking = (situation: TriggerFacts, asked: { tool: string; inputs: string[] }) =>
    ids(evaluateRules(SHIPPED_RULES, situation, asked).blocking);
  it("are in the order of their priority and all different", () => {
    expect(SHIPPED_RULES.map(({ priority }) => priority)).toEqual([2, 3, 5, 20, 21, 22, 30, 50]);
    expect(new Set(ids(SHIPPED_RULES)).size).toBe(SHIPPED_RULES.length);
  });
  it("without a session only the way to one is open", () => {
    expect(blocking(now(), ls)).toEqual(["session-gate"]);
    for (const tool of ["AskUserQuestion", "Skill"]) expect(blocking(now(), { tool, inputs: [""] })).toEqual([]);
    expect(blocking(now(), { tool: "Bash", inputs: ["engine session activate x do"] })).toEqual([]);
  });
  it("an idle session is continued first", () => {
    expect(blocking(now({ lifecycle: "idle" }), ls)).toEqual(["idle-gate"]);
  });
  it("an overdue log blocks work and lets the log, delegation and templates pass", () => {
    const overdue = now({ lifecycle: "active" }, { calls: 10 });
    expect(blocking(overdue, ls)).toEqual(["heartbeat-block"]);
    expect(blocking(overdue, { tool: "Bash", inputs: ["engine log x.md"] })).toEqual([]);
    expect(blocking(overdue, { tool: "Task", inputs: [""] })).toEqual([]);
    expect(blocking(overdue, { tool: "Read", inputs: ["/s/TEMPLATE_LOG.md"] })).toEqual([]);
  });
  it("the reminder comes at exactly three", () => {
    const saying = (calls: number) =>
      ids(evaluateRules(SHIPPED_RULES, now({ lifecycle: "active" }, { calls }), ls).saying);
    expect(saying(2)).toEqual([]);
    expect(saying(3)).toEqual(["heartbeat-warn"]);
    expect(saying(4)).toEqual([]);
  });
});
