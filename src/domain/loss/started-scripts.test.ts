import { expect, test } from "vitest";
import { shell, USER_HOME } from "../../testing/events.ts";
import { lastReadingOf } from "./started-scripts.ts";

test("of a call that nobody has judged its own words are known", () => {
  const { shell: line, effects } = lastReadingOf(shell("sh w.sh; rm -rf src"), USER_HOME);
  expect(effects.map(({ kind }) => kind)).toEqual(["delete-tree"]);
  expect(line.started.map(({ path }) => path)).toEqual(["/home/dev/app/w.sh"]);
});
