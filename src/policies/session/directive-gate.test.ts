import { describe, expect, it } from "vitest";
import type { AnyEvent } from "../../core/event.ts";
import {
  bash,
  call,
  DENIES_ALL,
  edit,
  noSession,
  playSessionEvents,
  read,
  worldInSession,
} from "../../domain/session/session.samples.ts";
import { PROJECT, USER_HOME } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./directive-gate.ts";

const ONE = `${PROJECT}/src/PITFALLS.md`;
const TWO = `${PROJECT}/README.md`;
const unread = (calls = 0, more: object = {}) =>
  worldInSession({ pendingDirectives: [ONE, TWO], directiveReadsWithoutClearing: calls, ...more });
const work = (): AnyEvent => bash("make");
const pending = { says: "note", message: "pending" } as const;
const denied = { says: "deny", message: "unread" } as const;

testPolicy(policy, {
  hit: [
    { name: "the first call", event: work(), ...unread(), ...pending, text: ONE },
    { name: "all of them are named", event: work(), ...unread(), ...pending, text: `${ONE}, ${TWO}` },
    {
      name: "how many calls are left",
      event: work(),
      ...unread(),
      ...pending,
      text: "1 other call is allowed before that.",
    },
    {
      name: "the second call",
      after: [work()],
      event: work(),
      ...unread(),
      ...pending,
      text: "no other call is allowed before that.",
    },
    {
      name: "several calls are left",
      event: work(),
      ...unread(0, { directiveBlockAfter: 4 }),
      ...pending,
      text: "2 other calls are allowed before that.",
    },
    { name: "the third call", after: [work(), work()], event: work(), ...unread(), ...denied, text: ONE },
    { name: "calls that were denied do not count", after: [work()], event: work(), ...unread(2), ...denied },
    { name: "from then on", event: edit("/a"), ...unread(7), ...denied, text: "Read these directive files first:" },
    { name: "a limit of its own", event: work(), ...unread(0, { directiveBlockAfter: 1 }), ...denied },
    { name: "another file of the same name", event: read(`${PROJECT}/lib/PITFALLS.md`), ...unread(2), ...denied },
    { name: "one is left", after: [read(TWO)], event: work(), ...unread(2), ...pending, text: ONE },
    { name: "more than reading it", event: bash("cat src/PITFALLS.md; make"), ...unread(2), ...denied },
    ...[
      "cat src/PITFALLS.md > /dev/null",
      "cat src/PITFALLS.md | wc -l",
      "false && cat src/PITFALLS.md",
      "cat src/OTHER.md",
      "sed -i s/a/b/ src/PITFALLS.md",
      "cp src/PITFALLS.md /tmp/x",
      "sed -n '1,9w /tmp/x' src/PITFALLS.md",
      "cat src/PITFALLS.md | sh",
    ].map((line) => ({ name: `not shown by \`${line}\``, event: bash(line), ...unread(2), ...denied })),
    {
      name: "a command that was denied has read nothing",
      after: [bash("cat src/PITFALLS.md README.md; make")],
      event: work(),
      ...unread(2),
      ...denied,
      text: `${ONE}, ${TWO}`,
    },
    { name: "more than an engine command", event: bash("engine log x; make"), ...unread(2), ...denied },
  ],
  pass: [
    { name: "nothing is pending", event: work(), ...worldInSession({ pendingDirectives: [] }) },
    { name: "nothing was ever found", event: work(), ...worldInSession() },
    { name: "without a session", event: work(), ...noSession },
    { name: "while it is loading", event: work(), ...unread(9, { loading: true }) },
    { name: "while it hands over", event: work(), ...unread(9, { lifecycle: "dehydrating" }) },
    { name: "a completed session", event: work(), ...unread(9, { lifecycle: "completed" }) },
    { name: "reading one of them", event: read(ONE), ...unread(9) },
    { name: "reading one by another way of writing it", event: read(`${PROJECT}/src/../README.md`), ...unread(9) },
    {
      name: "reading one in the agent's folder",
      event: read(`${USER_HOME}/.claude/X.md`),
      ...worldInSession({ pendingDirectives: [`${USER_HOME}/.claude/X.md`], directiveReadsWithoutClearing: 9 }),
    },
    ...[
      `cat ${ONE}`,
      `cat ${ONE} ${TWO}`,
      "cat src/PITFALLS.md",
      "cd src && cat PITFALLS.md",
      "head -n 40 src/PITFALLS.md",
      "sed -n '1,20p' src/PITFALLS.md",
      "tail -5 README.md 2>/dev/null | cat",
      "cat src/*.md",
      "grep -n rule README.md",
    ].map((line) => ({ name: `reading one with \`${line}\``, event: bash(line), ...unread(9) })),
    { name: "a search in one of them", event: call("Grep", { pattern: "x", path: ONE }), ...unread(9) },
    {
      name: "when both were read by one command",
      after: [bash("cat src/PITFALLS.md README.md")],
      event: work(),
      ...unread(9),
    },
    {
      name: "when one was read by a search and one by a command",
      after: [call("Grep", { pattern: "x", path: "README.md" }), bash("sed -n 1,99p src/PITFALLS.md")],
      event: work(),
      ...unread(9),
    },
    {
      name: "when they were read among other things, before they came first",
      after: [bash("make; cat src/PITFALLS.md README.md")],
      event: work(),
      ...unread(),
    },
    { name: "engine log", event: bash("engine log x.md"), ...unread(9) },
    { name: "engine session", event: bash("engine session find"), ...unread(9) },
    { name: "a subagent's start", event: call("Task", { prompt: "x" }), ...unread(9) },
    { name: "instructions", event: read(`${USER_HOME}/.claude/CLAUDE.md`), ...unread(9) },
    { name: "when all were read", after: [read(ONE), read(TWO)], event: work(), ...unread(9) },
    {
      name: "where they are put into the context instead",
      event: work(),
      ...unread(9),
      options: { directives: "inject" },
    },
  ],
});

describe("the state", () => {
  it("counts the calls that did something else", async () => {
    const { state } = await playSessionEvents([policy], [work(), work(), bash("engine log x.md")], unread());
    expect(state).toMatchObject({ directiveReadsWithoutClearing: 2, pendingDirectives: [ONE, TWO] });
  });
  it("does not count a call that was denied, by this gate or by another policy", async () => {
    const { state } = await playSessionEvents([policy], [work(), work(), work(), work()], unread());
    expect(state).toMatchObject({ directiveReadsWithoutClearing: 2 });
    const denied = await playSessionEvents([policy, DENIES_ALL], [work(), read(ONE)], unread());
    expect(denied.state).toMatchObject({ pendingDirectives: [ONE, TWO], directiveReadsWithoutClearing: 0 });
  });
  it("a read takes one away and begins the count anew", async () => {
    const { state } = await playSessionEvents([policy], [work(), work(), read(ONE)], unread());
    expect(state).toMatchObject({ directiveReadsWithoutClearing: 0, pendingDirectives: [TWO] });
  });
  it("stays as it is where they are put into the context instead", async () => {
    const world = { ...unread(2), options: { directives: "inject" } };
    const { state } = await playSessionEvents([policy], [work(), read(ONE)], world);
    expect(state).toMatchObject({ directiveReadsWithoutClearing: 2, pendingDirectives: [ONE, TWO] });
  });
  it("stays as it is while the session is loading", async () => {
    const { state } = await playSessionEvents([policy], [read(ONE)], unread(2, { loading: true }));
    expect(state).toMatchObject({ directiveReadsWithoutClearing: 2, pendingDirectives: [ONE, TWO] });
  });
});
