import { describe, expect, it } from "vitest";
import type { AnyEvent, Json, JsonObject } from "../../core/event.ts";
import {
  bash,
  call,
  DIR,
  hasRun,
  noSession,
  playSessionEvents,
  TRANSCRIPT,
  worldInSession,
} from "../../domain/session/session.samples.ts";
import { toolAfter } from "../../testing/events.ts";
import { createSandbox } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./details-log.ts";

const COLOUR = { question: "Which colour?", header: "Colour", options: [{ label: "Red" }, { label: "Blue" }] };
const SIZE = { question: "Which size?", header: "Size", options: [{ label: "S" }, { label: "L" }], multiSelect: true };

function asked(questions: readonly Json[], response: Json, transcript = TRANSCRIPT): AnyEvent {
  const more = { tool_response: response, transcript_path: transcript };
  return toolAfter("AskUserQuestion", { questions: [...questions] }, "toolu_ask", more);
}

const line = (entry: JsonObject): string => JSON.stringify(entry);
const said = (text: string): string =>
  line({ type: "assistant", message: { role: "assistant", content: [{ type: "text", text }] } });
const answered = { answers: { "Which colour?": "Red" } };

async function entryOf(event: AnyEvent, transcript?: string): Promise<string> {
  const world = worldInSession({}, transcript === undefined ? {} : { [TRANSCRIPT]: transcript });
  const { appended } = await playSessionEvents([policy], [event], world);
  return appended.map(({ text }) => String(text)).join("");
}

/** Each case: the question, the answer, and the expected entry. */
const ENTRIES: readonly { name: string; event: AnyEvent; transcript?: string; has: string; not?: string }[] = [
  { name: "the heading has the time", event: asked([COLOUR], answered), has: "## [2026-01-02 " },
  { name: "the heading has header and question", event: asked([COLOUR], answered), has: "] Colour — Which colour?\n" },
  { name: "no header", event: asked([{ question: "Why?" }], "so"), has: "] Q&A — Why?\n" },
  {
    name: "a long question is cut in the heading",
    event: asked([{ question: "w".repeat(80) }], "so"),
    has: `— ${"w".repeat(59)}…\n`,
  },
  { name: "a question of several lines is one heading", event: asked([{ question: "a\nb" }], "so"), has: "— a b\n" },
  {
    name: "it says that it was logged by itself",
    event: asked([COLOUR], answered),
    has: "**Type**: Q&A (logged automatically)",
  },
  { name: "the question", event: asked([COLOUR], answered), has: "**Agent**:\n> Which colour?" },
  { name: "the options", event: asked([COLOUR], answered), has: "> Options: Red / Blue\n" },
  { name: "several may be chosen", event: asked([SIZE], answered), has: "> Options: S / L (several may be chosen)" },
  {
    name: "several questions are numbered: the first",
    event: asked([COLOUR, SIZE], answered),
    has: "> 1. Which colour?",
  },
  {
    name: "several questions are numbered: the second",
    event: asked([COLOUR, SIZE], answered),
    has: "> 2. Which size?",
  },
  { name: "one question is not numbered", event: asked([COLOUR], answered), has: "> Which colour?", not: "1. Which" },
  { name: "the answer", event: asked([COLOUR], answered), has: "**User**:\n> Which colour?: Red" },
  {
    name: "every answer on a line of its own",
    event: asked([COLOUR, SIZE], { answers: { "Which colour?": "Red", "Which size?": "L" } }),
    has: "> Which colour?: Red\n> Which size?: L",
  },
  {
    name: "an answer in plain words",
    event: asked([COLOUR], "neither\nreally"),
    has: "**User**:\n> neither\n> really",
  },
  { name: "an answer of another shape", event: asked([COLOUR], { colour: ["Red"] }), has: '> colour: ["Red"]' },
  { name: "no answer", event: asked([COLOUR], {}), has: "> (no answer)" },
  {
    name: "the premise",
    event: asked([COLOUR], answered),
    transcript: `${said("Old.")}\n${said("Two ways are open.")}\n`,
    has: "**Premise**:\n> Two ways are open.\n",
  },
  {
    name: "a premise that is too long",
    event: asked([COLOUR], answered),
    transcript: said("p".repeat(3_000)),
    has: `${"p".repeat(1_999)}…`,
    not: "p".repeat(2_000),
  },
  {
    name: "a half written transcript",
    event: asked([COLOUR], answered),
    transcript: `${said("Said.")}\n{"type":"assi`,
    has: "> Said.",
  },
  {
    name: "a transcript without words",
    event: asked([COLOUR], answered),
    transcript: line({ type: "user" }),
    has: "Colour",
    not: "Premise",
  },
  { name: "no transcript there", event: asked([COLOUR], answered), has: "Colour", not: "Premise" },
  { name: "no transcript named", event: asked([COLOUR], answered, ""), has: "Colour", not: "Premise" },
  { name: "tags are put in backticks", event: asked([COLOUR], "do #needs-review"), has: "> do `#needs-review`" },
  {
    name: "tags in backticks stay",
    event: asked([COLOUR], "do `#needs-review`"),
    has: "> do `#needs-review`",
    not: "``",
  },
  { name: "an end between entries", event: asked([COLOUR], answered), has: "\n---\n" },
  {
    name: "a question of the older form",
    event: toolAfter("AskUserQuestion", { question: "Go?" }, "t", { tool_response: "yes" }),
    has: "> Go?",
  },
];

describe("an entry", () => {
  it.each(ENTRIES)("$name", async ({ event, transcript, has, not }) => {
    const entry = await entryOf(event, transcript);
    expect(entry).toContain(has);
    if (not !== undefined) expect(entry).not.toContain(not);
  });

  it("goes into DETAILS.md of the session, marked with the call", async () => {
    const { appended } = await playSessionEvents([policy], [asked([COLOUR], answered)], worldInSession());
    expect(appended).toEqual([{ path: `${DIR}/DETAILS.md`, text: expect.stringContaining("<!-- toolu_ask -->") }]);
  });

  it("is not written without a session, for another tool, or when nothing was asked", async () => {
    for (const [event, world] of [
      [asked([COLOUR], answered), noSession],
      [hasRun(bash("make")), worldInSession()],
      [asked([], answered), worldInSession()],
    ] as const) {
      expect((await playSessionEvents([policy], [event], world)).appended).toEqual([]);
    }
  });
});

it("the transcript is looked at for a question in a session only", async () => {
  for (const [event, options, looks] of [
    [asked([COLOUR], answered), worldInSession(), true],
    [asked([COLOUR], answered), noSession, false],
    [hasRun(call("WebSearch", { query: "x" })), worldInSession(), false],
  ] as const) {
    const sandbox = createSandbox([policy], options);
    const { looked } = await sandbox.send(event);
    expect(looked.includes(`tail:${TRANSCRIPT}`)).toBe(looks);
    sandbox.close();
  }
});

testPolicy(policy, {
  hit: [],
  pass: [
    { name: "a question is answered: nothing is said", event: asked([COLOUR], answered), ...worldInSession() },
    { name: "another tool", event: hasRun(bash("make")), ...worldInSession() },
    { name: "without a session", event: asked([COLOUR], answered), ...noSession },
  ],
});
