import { describe, expect, it } from "vitest";
import type { BoardCounts } from "../../core/ports.ts";
import { aRun, withRuns } from "../../domain/mode/mode.samples.ts";
import { swarm } from "../../domain/mode/swarm/machine.ts";
import { PROJECT, stop } from "../../testing/events.ts";
import { FAKE_NOW } from "../../testing/fake-ports.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./swarm.ts";

const NONE = { total: 0, pending: 0, claimed: 0, done: 0, failed: 0, open: [], isEnded: false, lastEndedAt: FAKE_NOW };
const open = [
  { id: "task-1", text: "the parser" },
  { id: "task-2", text: "the printer", agent: "a1" },
];
const started = withRuns(aRun("swarm", { details: { agent_count: 3 } }));
const on = (board: Partial<Extract<BoardCounts, { total: number }>>) => ({ ...started, board: { ...NONE, ...board } });
const held = { event: stop(), says: "hold", message: "goes_on" } as const;
const ended = { event: stop(), says: "notice", message: "ended" } as const;

testPolicy(policy, {
  hit: [
    { name: "there is no board", ...held, ...started, text: "no task board yet" },
    { name: "the board has no task", ...held, ...on({}), text: "has no task" },
    {
      name: "the board cannot be read",
      ...held,
      ...started,
      board: { unreadable: "It is damaged." },
      text: "It is damaged.",
    },
    {
      name: "a task is pending",
      ...held,
      ...on({ total: 2, pending: 1, done: 1, open: open.slice(0, 1) }),
      text: "task-1 the parser",
    },
    {
      name: "a task is claimed",
      ...held,
      ...on({ total: 2, claimed: 1, done: 1, open: open.slice(1) }),
      text: "task-2 (a1) the printer",
    },
    {
      name: "more tasks than are named",
      ...held,
      ...on({ total: 9, pending: 8, claimed: 1, open }),
      text: "and 7 more",
    },
    {
      name: "it was ended with open tasks",
      ...held,
      ...on({ total: 2, pending: 2, open, isEnded: true }),
      text: "was ended",
    },
    {
      name: "all were done before it began",
      ...held,
      ...on({ total: 3, done: 2, failed: 1, lastEndedAt: FAKE_NOW - 120_000 }),
      text: "All tasks of the board (2 done, 1 failed) are older than this swarm.",
    },
    {
      name: "all are done, by a program that writes no times",
      ...ended,
      ...started,
      board: { total: 1, pending: 0, claimed: 0, done: 1, failed: 0, open: [], isEnded: false },
      text: "1 of 1 tasks are done.",
    },
    { name: "all are done", ...ended, ...on({ total: 12, done: 12 }), text: "12 of 12 tasks are done." },
    {
      name: "some have failed",
      ...ended,
      ...on({ total: 12, done: 10, failed: 2 }),
      text: "10 of 12 tasks are done, 2 failed.",
    },
    {
      name: "a question",
      event: stop({ last_assistant_message: "NEEDS_INPUT: a or b?" }),
      ...on({}),
      says: "notice",
      message: "asks",
    },
    {
      name: "the rounds are used up",
      event: stop(),
      ...withRuns(aRun("swarm", { round: 15, details: { agent_count: 3 } })),
      says: "notice",
      message: "used_up",
    },
  ],
  pass: [
    { name: "a board, but no mode", event: stop(), board: { ...NONE, total: 2, pending: 2, open } },
    { name: "another session", event: stop({ session_id: "another" }), ...on({ total: 2, pending: 2, open }) },
    {
      name: "a worker",
      event: stop({ agent_id: "a1", agent_type: "executor" }),
      ...on({ total: 2, pending: 2, open }),
    },
  ],
});

describe("the number of agents", () => {
  const begin = (agents?: number) =>
    swarm.begin(
      { mode: "swarm", request: "x", ...(agents === undefined ? {} : { agents }) },
      { project: PROJECT, now: FAKE_NOW, text: () => undefined, board: () => undefined },
    );
  it.each([
    [undefined, 3],
    [1, 1],
    [64, 64],
  ])("%s counts as %i", (agents, count) => {
    expect(begin(agents)).toEqual({ agent_count: count });
  });
  it.each([0, -1, 65, 1.5, Number.NaN])("%d is refused", (agents) => {
    expect(() => begin(agents)).toThrow(/swarm was not started/);
  });
});
