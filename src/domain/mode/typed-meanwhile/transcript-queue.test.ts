import { describe, expect, it } from "vitest";
import { answer, given, taken, typed } from "./transcript-queue.samples.ts";
import { typedMeanwhile } from "./transcript-queue.ts";

const read = (...lines: readonly string[]) => typedMeanwhile(lines.join("\n"));
const waiting = (...lines: readonly string[]): number => read(...lines).waiting.length;

describe("a prompt waits", () => {
  it.each([
    ["that was typed", 1, [typed("/cancel")]],
    ["beside another one", 2, [typed("go on"), typed("/cancel", 2)]],
    ["until it is taken out", 0, [typed("/cancel"), taken("dequeue")]],
    ["when another one was taken out before it", 1, [typed("go on"), typed("/cancel", 2), taken("dequeue")]],
    ["when the model was given another one that is named", 1, [typed("x"), typed("y", 2), taken("remove", "y")]],
    ["when the model was given one that is not named", 1, [typed("/cancel"), typed("go on", 2), taken("remove")]],
    ["until the person takes it back", 0, [typed("go on"), typed("/cancel", 2), taken("popAll")]],
    ["unless a machine wrote it", 0, [typed("<task-notification>\n<task-id>b1</task-id>")]],
    ["not after a removal of one that stands before the tail", 1, [taken("dequeue"), typed("/cancel")]],
  ])("%s: %i", (_name, count, lines) => {
    expect(waiting(...lines)).toBe(count);
  });

  it("and which one is known by its time", () => {
    const [one] = read(typed("a"), taken("dequeue"), typed("b", 2)).waiting;
    expect(one).toBe(read(typed("b", 2)).waiting[0]);
    expect(one).not.toBe(read(typed("a")).waiting[0]);
  });
});

describe("a prompt that the model was given in the middle of a turn", () => {
  const texts = (...lines: readonly string[]): string[] => read(...lines).given.map(({ text }) => text);

  it("is read as text or as blocks", () => {
    expect(texts(given("stop"), given([{ type: "text", text: "and rest" }, { type: "image" }]))).toEqual([
      "stop",
      "and rest",
    ]);
  });

  it.each([
    ["was reported to the hooks", given("stop", { delivery_id: "d-1" })],
    ["a machine wrote", given("<task-notification>done</task-notification>")],
    ["another agent wrote", given("stop", { origin: { kind: "agent" } })],
    ["is a command", given("stop", { commandMode: "bash" })],
    ["has no text", given([{ type: "image" }])],
  ])("is left out if it %s", (_name, line) => {
    expect(texts(line)).toEqual([]);
  });
});

it("nothing else counts: half lines, other lines, and text about such lines", () => {
  const half = typed("/cancel").slice(20);
  expect(read(half, answer('{"type":"queue-operation","operation":"enqueue"}'), "", typed("x").slice(0, 40))).toEqual({
    waiting: [],
    given: [],
  });
});
