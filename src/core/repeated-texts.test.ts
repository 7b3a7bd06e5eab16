import { describe, expect, it } from "vitest";
import { IN_FULL, RepeatedTexts, type SentTexts } from "./repeated-texts.ts";

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const REST = "This cannot be taken back, so think of something else first, or ask the person who knows what it is for.";
const about = (target: string): string => `\`rm\` deletes ${target}. ${REST}`;

/** What is said one after the other, each as an event of its own. */
function say(texts: readonly string[], minutesBetween = 0): string[] {
  let given: SentTexts = {};
  return texts.map((text, index) => {
    const before = given;
    const repeats = new RepeatedTexts(() => before, NOW + index * minutesBetween * MINUTE);
    const { text: sent } = repeats.headline("test/guard", text);
    given = repeats.next ?? given;
    return sent;
  });
}

describe("a text that was just given", () => {
  it("comes as its first sentence, with a pointer the first time", () => {
    const [first, second, third] = say([about("a"), about("a"), about("a")]);
    expect(first).toBe(about("a"));
    expect(second).toBe("`rm` deletes a. (In full before: `hookwright journal --denied`.)");
    expect(third).toBe("`rm` deletes a.");
  });

  it("names another target in whole, however long it is", () => {
    const long = `/home/dev/${"folder/".repeat(20)}b`;
    expect(say([about("a"), about("a"), about(long)])[2]).toBe(`\`rm\` deletes ${long}.`);
  });

  it("comes as the first clause where the very sentence was said before", () => {
    const text = `/home/dev/app/.git/config is inside git's own storage, where a wrong byte loses history. ${REST}`;
    expect(say([text, text, text])[2]).toBe("/home/dev/app/.git/config is inside git's own storage …");
    const list = `These files come first: /home/dev/app/README.md, /home/dev/app/src/PITFALLS.md. ${REST}`;
    expect(say([list, list, list])[2]).toBe("These files come first: /home/dev/app/README.md …");
  });

  it("is cut between words when that has been said often", () => {
    const text = about("one folder of many that nobody at all has looked into for many years");
    expect(say(Array(5).fill(text)).map((said) => said.length)).toEqual([text.length, 131, 82, 82, 63]);
    expect(say(Array(5).fill(text))[4]).toBe("`rm` deletes one folder of many that nobody at all has looked …");
  });

  it("is given in full where what follows the first sentence is new", () => {
    const other = `\`git\` resets b. Safer: keep the commits under another branch name first.`;
    expect(say([about("a"), other])[1]).toBe(other);
    expect(say([about("a"), other, about("c")])[2]).toBe(
      "`rm` deletes c. (In full before: `hookwright journal --denied`.)",
    );
  });

  it("is not new because of a number in it", () => {
    const left = (calls: number): string =>
      `Not read yet: a, b. Read them; after ${calls} more calls they come before everything else that is to be done.`;
    expect(say([left(2), left(1)])[1]).toBe("Not read yet: a … (In full before: `hookwright journal --denied`.)");
  });

  it("comes in full again after ten minutes, and when the clock was set back", () => {
    expect(say([about("a"), about("a"), about("a")], 5)).toEqual([
      about("a"),
      expect.stringMatching(/^`rm` deletes a\. \(/),
      about("a"),
    ]);
    expect(say([about("a"), about("a")], -1)[1]).toBe(about("a"));
  });

  it("stays as it is where nothing could be left out", () => {
    expect(say(["Short.", "Short.", "Short."])).toEqual(["Short.", "Short.", "Short."]);
  });

  it("of one policy says nothing about another's", () => {
    const repeats = new RepeatedTexts(() => ({}), NOW);
    repeats.headline("test/guard", about("a"));
    expect(repeats.headline("test/other", about("a")).isBrief).toBe(false);
    expect(repeats.headline("test/guard", about("a")).isBrief).toBe(true);
  });
});

describe("what is remembered", () => {
  it("is nothing where nothing was said, and then nothing is looked up either", () => {
    const repeats = new RepeatedTexts(() => {
      throw new Error("looked up");
    }, NOW);
    expect(repeats.next).toBeUndefined();
  });

  it("of a note only once it was sent", () => {
    const repeats = new RepeatedTexts(() => ({}), NOW);
    const words = repeats.note("test/guard", about("a"));
    expect(repeats.next).toBeUndefined();
    expect(repeats.isSaid("test/guard", about("a"))).toBe(false);
    repeats.noteSent("test/guard", about("a"), words);
    expect(repeats.isSaid("test/guard", about("a"))).toBe(true);
    expect(repeats.note("test/guard", about("a")).text).toBe("`rm` deletes a. (In full before.)");
  });

  it("holds no text, and only so much of it", () => {
    let given: SentTexts = {};
    for (let i = 0; i < 100; i++) {
      const repeats = new RepeatedTexts(() => given, NOW + i);
      repeats.headline("test/guard", `A secret. ${"x".repeat(i + 1)}`);
      given = repeats.next ?? given;
    }
    expect(Object.keys(given)).toHaveLength(40);
    expect(JSON.stringify(given)).not.toContain("secret");
  });
});

describe("a denial that is not the headline", () => {
  it("has a line of its own once, which does not count as given in full", () => {
    const repeats = new RepeatedTexts(() => ({}), NOW);
    expect(repeats.also("test/guard", about("a"))).toBe("`rm` deletes a.");
    expect(repeats.also("test/guard", about("a"))).toBeUndefined();
    expect(repeats.also("test/guard", about("b"))).toBe("`rm` deletes b.");
    expect(repeats.headline("test/guard", about("a"))).toEqual({ text: about("a"), isBrief: false });
    expect(IN_FULL.also("test/guard", about("a"))).toBe("`rm` deletes a.");
  });
});
