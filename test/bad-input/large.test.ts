import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Event, forbiddenWrite, gitConfig, prompt, toolCall } from "../support/events.ts";
import { outside, strays } from "../support/footprint.ts";
import { IS_LONG } from "../support/long.ts";
import { query, rowCount } from "../support/records.ts";
import { AVAILABLE, type NamedRoute, ROUTES, shareOf } from "../support/routes.ts";
import { CLIENTS, isMissing, World } from "../support/world.ts";

const MB = 1024 * 1024;
/** The longest a row may become, whatever the event held. */
const ROW_LIMIT = 64 * 1024;
/** How fast so much is decided is not what is looked at here, and the machine may be busy. */
const PATIENT = { args: ["--deadline-ms", "25000"] };
/** One route of each client, with a daemon and without. */
const isUsual = (route: NamedRoute): boolean => IS_LONG || (route.client === "c") === route.daemon;

let world: World;
let calls = 0;
let before: Record<string, string>;
beforeAll(async () => {
  world = new World();
  await world.startDaemon();
  before = outside(world);
});
afterAll(async () => {
  const left = [outside(world), strays(world)];
  await world.dispose();
  expect(left).toEqual([before, []]);
});

function lastRow() {
  return query(world, "SELECT * FROM journal ORDER BY id DESC LIMIT 1")[0];
}

function lengthOf(row: object | undefined): number {
  return Object.values(row ?? {}).reduce<number>((sum, value) => sum + String(value).length, 0);
}

/** A forbidden write that is large in one way or another. */
const LARGE: readonly (readonly [name: string, change: (event: Event) => Event])[] = [
  ["10 MB of content", (event) => withInput(event, { content: "x".repeat(10 * MB) })],
  ["10 MB of description", (event) => withInput(event, { description: "é".repeat(5 * MB) })],
  ["a hundred thousand fields", (event) => withInput(event, fields(100_000))],
  ["a list of a million numbers", (event) => withInput(event, { list: Array(1_000_000).fill(7) })],
  ["a field nobody knows", (event) => ({ ...event, extra: "x".repeat(10 * MB) })],
  ["a path of 1 MB", (event) => withInput(event, { file_path: `${gitConfig(world)}/${"x".repeat(MB)}` })],
  ["a working directory of 1 MB", (event) => ({ ...event, cwd: `/${"x".repeat(MB)}` })],
  ["a session of 1 MB", (event) => ({ ...event, session_id: "s".repeat(MB) })],
  ["an agent of 1 MB", (event) => ({ ...event, agent_id: "é".repeat(MB) })],
  ["a transcript of 1 MB", (event) => ({ ...event, transcript_path: `/${"x".repeat(MB)}` })],
];

function withInput(event: Event, more: Event): Event {
  return { ...event, tool_input: { ...(event.tool_input as Event), ...more } };
}

function fields(count: number): Event {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`field-${i}`, `value ${i}`]));
}

describe.each(ROUTES)("$name", (route) => {
  it.skipIf(route.isMissing).each(shareOf(route, LARGE))(
    "%s: the write stays denied, and the row stays small",
    async (_, change) => {
      const rows = rowCount(world);
      const id = `call-${++calls}`;
      const answer = await world.send(change(forbiddenWrite(world, id)), route, PATIENT);
      expect(answer.exit).toBe(2);
      expect(answer.stderr).not.toMatch(/could not/);
      expect(rowCount(world)).toBe(rows + 1);
      const row = lastRow();
      expect(row).toMatchObject({ tool_use_id: id, ruling: "deny" });
      expect(lengthOf(row)).toBeLessThan(ROW_LIMIT);
    },
  );

  it.runIf(isUsual(route) && !route.isMissing)(
    "a call and a tool whose names take 1 MB each are told from others like them",
    async () => {
      const rows = rowCount(world);
      for (const end of ["a", "b", "b"]) {
        const id = `${route.name}${"i".repeat(MB)}${end}`;
        const event = toolCall(world, id, `Tool${"t".repeat(MB)}${end}`, { file_path: gitConfig(world) });
        expect(await world.send(event, route, PATIENT)).toMatchObject({ exit: 0, stdout: "", stderr: "" });
        expect(lengthOf(lastRow())).toBeLessThan(ROW_LIMIT);
      }
      // Two calls, and a retry of the second.
      expect(rowCount(world)).toBe(rows + 2);
      const last = query(world, "SELECT tool, tool_use_id FROM journal ORDER BY id DESC LIMIT 2");
      expect(new Set(last.map((row) => row.tool)).size).toBe(2);
      expect(new Set(last.map((row) => row.tool_use_id)).size).toBe(2);
    },
  );

  it.runIf(isUsual(route) && !route.isMissing)("a prompt of 10 MB passes", async () => {
    const answer = await world.send(prompt(world, "please ".repeat((10 * MB) / 7)), route, PATIENT);
    expect(answer).toMatchObject({ exit: 0, stdout: "", stderr: "" });
    expect(lastRow()).toMatchObject({ event: "prompt.submit", ruling: "pass" });
    expect(lengthOf(lastRow())).toBeLessThan(ROW_LIMIT);
  });

  it.runIf(isUsual(route) && !route.isMissing)("deep nesting changes no decision, and is recorded", async () => {
    const rows = rowCount(world);
    for (const depth of [1_000, 20_000, 1_000_000]) {
      const [head, tail] = JSON.stringify(withInput(forbiddenWrite(world, `deep-${++calls}`), { content: 0 })).split(
        '"content":0',
      );
      const text = `${head}"content":${"[".repeat(depth)}${"]".repeat(depth)}${tail}`;
      const answer = await world.send(text, route, PATIENT);
      expect(answer.exit, `${depth}`).toBe(2);
      expect(answer.stderr, `${depth}`).toContain("git's own storage");
      expect(answer.stderr, `${depth}`).not.toContain("could not");
    }
    expect(rowCount(world)).toBe(rows + 3);
  });

  it.runIf(isUsual(route) && !route.isMissing)(
    "more than 64 MB is not read to its end: a guarded event is blocked",
    async () => {
      const body = Buffer.alloc(65 * MB, " ");
      const [guarded, other] = await Promise.all([
        world.send(body, route, { args: ["--event", "PreToolUse"] }),
        world.send(body, route, { args: ["--event", "Stop"] }),
      ]);
      expect(guarded.exit).toBe(2);
      expect(guarded.stderr).toContain("it is larger than 64 MB");
      expect(other.exit).toBe(0);
      expect(other.stderr).toContain("it is larger than 64 MB");
    },
  );
});

/** Half of a forbidden write, all of it, or nothing; then the pipe stays open. */
const PIPES: readonly {
  readonly name: string;
  readonly part: number;
  readonly args: readonly string[];
  readonly exit: number;
  readonly said: string;
}[] = [
  { name: "nothing, by hand", part: 0, args: [], exit: 0, said: "the pipe was not closed in time" },
  { name: "nothing", part: 0, args: ["--event", "PreToolUse"], exit: 2, said: "the pipe was not closed in time" },
  { name: "half", part: 0.5, args: ["--event", "PreToolUse"], exit: 2, said: "the pipe was not closed in time" },
  { name: "half, at Stop", part: 0.5, args: ["--event", "Stop"], exit: 0, said: "the pipe was not closed in time" },
  { name: "everything", part: 1, args: ["--event", "PreToolUse"], exit: 2, said: "git's own storage" },
];

/** Side by side, because all that they do is wait: the client gives up reading shortly before its own deadline. */
it.each(CLIENTS.filter((client) => !isMissing(client)))(
  "a pipe that never closes: the %s client answers although it stays open, whatever was sent",
  async (client) => {
    const cases = [true, false].flatMap((daemon) => PIPES.map((pipe) => ({ ...pipe, daemon })));
    const answers = cases.map(async ({ name, part, args, exit, said, daemon }) => {
      const text = JSON.stringify(forbiddenWrite(world, `pipe-${++calls}`));
      const input = text.slice(0, Math.round(text.length * part));
      const answer = await world.send(input, { client, daemon }, { args, keepOpen: true });
      expect(answer, `${name}, daemon ${daemon}`).toMatchObject({ exit, stderr: expect.stringContaining(said) });
    });
    await Promise.all(answers);
  },
);

describe("text that is no UTF-8", () => {
  it.each(AVAILABLE)("inside an otherwise readable event, $name: the write stays denied", async (route) => {
    const event = toolCall(world, `utf8-${++calls}`, "Write", { file_path: gitConfig(world), content: "CONTENT" });
    const [head = "", tail = ""] = JSON.stringify(event).split("CONTENT");
    const bytes = Buffer.concat([
      Buffer.from(head),
      Buffer.from([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
      Buffer.from(tail),
    ]);
    const answer = await world.send(bytes, route);
    expect(answer.exit).toBe(2);
    expect(lastRow()).toMatchObject({ event: "tool.before", ruling: "deny" });
  });

  it.each(AVAILABLE)("in the path itself, $name", async (route) => {
    const event = toolCall(world, `utf8-${++calls}`, "Write", { file_path: `${gitConfig(world)}-NAME`, content: "x" });
    const [head = "", tail = ""] = JSON.stringify(event).split("NAME");
    const bytes = Buffer.concat([Buffer.from(head), Buffer.from([0xff, 0xfe]), Buffer.from(tail)]);
    const answer = await world.send(bytes, route);
    expect(answer.exit).toBe(2);
    expect(answer.stderr).toContain(`${gitConfig(world)}-\ufffd\ufffd`);
  });
});
