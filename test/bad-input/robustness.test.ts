/**
 * What a hook says to input that is broken, huge or nested: the same table by which other hooks are compared, through
 * the programs that an agent starts. Malformed input is never let through as if it were an answer.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Event, toolCall } from "../support/events.ts";
import { ROUTES, shareOf } from "../support/routes.ts";
import { World } from "../support/world.ts";

const MB = 1024 * 1024;
const ARGS = ["--event", "PreToolUse", "--profile", "safety"];

let world: World;
let calls = 0;
beforeAll(async () => {
  world = new World();
  await world.startDaemon();
});
afterAll(() => world.dispose());

function bash(command: string, more: Event = {}): Event {
  // Each in a session of its own: what was just said in one is said shortened.
  const call = toolCall(world, `call-${++calls}`, "Bash", { command, ...more });
  return { ...call, session_id: `session-${calls}` };
}

function deep(depth: number, innermost: string): string {
  return `echo ${"$(".repeat(depth)}${innermost}${")".repeat(depth)}`;
}

function harmlessDepth(depth: number): string {
  return `echo ${"$(echo ".repeat(depth)}a${")".repeat(depth)}`;
}

const prose = "find the thing, rm -rf it & (perhaps) don't 'quote' \"it\" for $5\n";

type Said = "pass" | "ask" | "block";

/** `why` is a part of what is said; nothing at all is said where it is empty. */
const TABLE: readonly (readonly [name: string, input: () => Event | string, said: Said, why: string])[] = [
  ["empty", () => "", "block", "it is empty"],
  ["garbage", () => "\u0001garbage{", "block", "not valid JSON"],
  ["no tool_input", () => ({ ...bash(""), tool_input: undefined }), "ask", "could not be checked"],
  [
    "a lone surrogate beside git reset --hard",
    () => JSON.stringify(bash("git reset --hard", { description: "X" })).replace('"X"', '"\\ud800"'),
    "ask",
    "discards every uncommitted change",
  ],
  ["9 MB in one word", () => bash(`echo ${"a".repeat(9 * MB)}`), "pass", ""],
  ["9 MB of words", () => bash(`echo ${"abcd ".repeat((9 * MB) / 5)}`), "pass", ""],
  ["9 MB for a file", () => bash(`cat > new.txt <<'EOF'\n${prose.repeat((9 * MB) / prose.length)}EOF\n`), "pass", ""],
  ["9 MB for a shell", () => bash(`bash <<'EOF'\n${prose.repeat((9 * MB) / prose.length)}EOF\n`), "ask", "160 kB"],
  [
    "9 MB that only look like the text of a file",
    () => bash(`echo "<<'EOF'"\nrm -rf /\n${prose.repeat((9 * MB) / prose.length)}EOF\n`),
    "ask",
    "160 kB",
  ],
  ["60 deep, harmless", () => bash(harmlessDepth(60)), "pass", ""],
  ["70 deep around rm -rf /", () => bash(deep(70, "rm -rf /")), "block", "deletes"],
  ["200 deep around rm -rf /", () => bash(deep(198, "rm -rf /")), "block", "deletes"],
  ["300 deep, harmless", () => bash(harmlessDepth(300)), "ask", "nested too deeply"],
  ["140 kB before git reset --hard", () => bash(`echo ${"a".repeat(140 * 1024)}; git reset --hard`), "ask", "discards"],
  ["100 kB of options before a root", () => bash(`rm -${"rfv".repeat(33_000)} /`), "block", "deletes"],
  ["100 kB of variables for rm", () => bash(`env ${"A=1 ".repeat(25_000)}rm -rf /`), "block", "deletes"],
  ["10,000 pipes", () => bash(`cat f${" | cat".repeat(10_000)}`), "ask", "more than 8,000 words and signs"],
  ["15,000 launchers", () => bash(`${"nice ".repeat(15_000)}rm -rf /`), "ask", "too much to follow"],
  ["9 MB before git reset --hard", () => bash(`echo ${"a".repeat(9 * MB)}; git reset --hard`), "ask", "160 kB"],
  ["a NUL before git reset --hard", () => bash("echo \0; git reset --hard"), "ask", "NUL"],
  ["quotes and brackets that never close", () => bash(`echo "$(${"(".repeat(50)}'`), "ask", "could not be parsed"],
];

describe.each(ROUTES)("$name", (route) => {
  it.skipIf(route.isMissing).each(shareOf(route, TABLE))("%s", async (_name, input, said, why) => {
    const answer = await world.send(input(), route, { args: ARGS });
    const ask = answer.stdout.includes('"ask"');
    const blocked = answer.exit === 2 || answer.stdout.includes('"deny"');
    expect([blocked ? "block" : ask ? "ask" : "pass", answer.stdout + answer.stderr]).toEqual([
      said,
      why === "" ? "" : expect.stringContaining(why),
    ]);
  });
});
