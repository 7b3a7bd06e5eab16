import { expect, it } from "vitest";
import { HookwrightError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/event.ts";
import { aRun, runsIn, withRuns } from "../../domain/mode/mode.samples.ts";
import { pipeline } from "../../domain/mode/pipeline/machine.ts";
import { PRESET_NAMES, readPipeline } from "../../domain/mode/pipeline/stages.ts";
import { PROJECT, SESSION, stop } from "../../testing/events.ts";
import { FAKE_NOW } from "../../testing/fake-ports.ts";
import { createSandbox } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./pipeline.ts";

const reader = { project: PROJECT, now: FAKE_NOW, text: () => undefined, board: () => undefined };
const begun = (request: string): JsonObject => pipeline.begin({ mode: "pipeline", request }, reader);
const run = (request = "review the login") => aRun("pipeline", { request, details: begun(request) });
const on = withRuns(run());
const said = (text: string) => stop({ last_assistant_message: text });
const complete = said("The login lies in src/login.\n\nSTAGE_COMPLETE");
const failed = said("No such folder.\n\nSTAGE_FAILED");

testPolicy(policy, {
  hit: [
    {
      name: "the first stage",
      event: stop(),
      ...on,
      says: "hold",
      message: "goes_on",
      text: "Stage 1 of 4, explore, of: the login.",
    },
    {
      name: "the next stage gets the result of the one before",
      event: complete,
      ...on,
      says: "hold",
      message: "goes_on",
      text: "The stage before, explore, resulted in: The login lies in src/login.",
      also: [{ says: "notice", message: "news" }],
    },
    {
      name: "a failed stage is tried again",
      event: failed,
      ...on,
      says: "hold",
      message: "goes_on",
      text: "Stage explore has failed; this is try 2 of 4.",
      also: [{ says: "notice", message: "news" }],
    },
    {
      name: "three retries are the most",
      event: failed,
      after: [failed, failed, failed],
      ...on,
      says: "notice",
      message: "ended",
      text: "Stage explore has failed 4 times. No such folder.",
    },
    {
      name: "a stage that comes next has its own retries",
      event: failed,
      after: [failed, failed, complete, failed, failed],
      ...on,
      says: "hold",
      message: "goes_on",
      text: "Stage architect has failed; this is try 4 of 4.",
      also: [{ says: "notice", message: "news" }],
    },
    {
      name: "the last stage ends it",
      event: complete,
      after: [complete, complete, complete],
      ...on,
      says: "notice",
      message: "ended",
      text: "All stages are complete: explore -> architect -> critic -> executor.",
    },
    {
      name: "two agents in one stage",
      event: stop(),
      ...withRuns(run("research sorting")),
      says: "hold",
      message: "goes_on",
      text: "subagents of the types researcher and explore at the same time",
    },
    {
      name: "the signal in a sentence does not count",
      event: said("I write STAGE_COMPLETE later."),
      ...on,
      says: "hold",
      message: "goes_on",
      text: "Stage 1 of 4",
    },
    { name: "a question", event: said("NEEDS_INPUT: which login?"), ...on, says: "notice", message: "asks" },
    {
      name: "the rounds are used up",
      event: stop(),
      ...withRuns({ ...run(), round: 15 }),
      says: "notice",
      message: "used_up",
    },
  ],
  pass: [
    { name: "no mode", event: stop() },
    { name: "after its end", event: stop(), after: [complete, complete, complete, complete], ...on },
    { name: "another session", event: stop({ session_id: "another" }), ...on },
    { name: "a subagent", event: stop({ agent_id: "a1", agent_type: "explore" }), ...on },
  ],
});

it.each([
  ["review the login", "review", "explore architect critic executor", "the login"],
  ["implement a parser", "implement", "planner executor tester", "a parser"],
  ["debug: the crash", "debug", "explore architect fixer", "the crash"],
  ["refactor src", "refactor", "explore architect executor tester", "src"],
  ["security of the login", "security", "explore auditor executor auditor", "of the login"],
  ["fix the login", "implement", "planner executor tester", "fix the login"],
  ["", "implement", "planner executor tester", ""],
  ["explore -> fixer: the login", "", "explore fixer", "the login"],
  ["explore → omc:architect\nthe login: now", "", "explore omc:architect", "the login: now"],
])("reads the stages of `%s`", (text, preset, stages, request) => {
  const read = readPipeline(text, undefined);
  expect([read.preset, read.stages.map(({ name }) => name).join(" "), read.request]).toEqual([preset, stages, request]);
});

it.each(["", "deploy", "a -> b c; d", "../x -> y", Array(13).fill("a").join("->")])(
  "refuses the stages `%s`",
  (text) => {
    expect(() => readPipeline("x", text)).toThrow(HookwrightError);
    expect(() => readPipeline("x", text)).toThrow(/not the name|no preset|stages/);
  },
);

it("has the six presets", () => {
  expect(PRESET_NAMES).toEqual(["review", "implement", "debug", "research", "refactor", "security"]);
});

it("keeps a run that ended in the history, with its stages", async () => {
  const sandbox = createSandbox([policy], on);
  for (const event of [complete, complete, complete, complete]) await sandbox.send(event);
  const [ended] = runsIn(sandbox.db).history();
  expect(ended).toMatchObject({ mode: "pipeline", session: SESSION, outcome: "done", round: 3 });
  expect(ended?.details.stages).toMatchObject(Array(4).fill({ status: "complete" }));
  expect(runsIn(sandbox.db).of(SESSION)).toEqual([]);
  sandbox.close();
});
