import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "../database.ts";
import { sampleEntry } from "../entry.samples.ts";
import { append } from "../journal.ts";
import { matchOf, removeSearchIndex, SearchIndex } from "./search-index.ts";

let folder: string;
let db: Database;
let index: SearchIndex;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hw-search-"));
  db = new Database(path.join(folder, "state.db"), 1_000);
  index = new SearchIndex(path.join(folder, "search.db"));
});
afterEach(() => {
  index.close();
  db.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

let entries = 0;
function record(command: string, about: Parameters<typeof sampleEntry>[0] = {}): number {
  const body = JSON.stringify({ hook_event_name: "PreToolUse", tool_input: { command } });
  return append(db, `k${++entries}`, sampleEntry({ body, ...about }));
}
function find(words: string): number[] {
  index.fill(db);
  return [...index.find(words)].flat();
}

describe("a search finds", () => {
  it("commands by words, whatever stands around them, the newest first", () => {
    const [first, , third] = [record("rm -rf /srv/data"), record("ls src"), record("echo DATA; true")];
    expect(find("data")).toEqual([third, first]);
    expect(find("rm data")).toEqual([first]);
    expect(find("/srv/data")).toEqual([first]);
    expect(find("dat")).toEqual([]);
    expect(find("dat*")).toEqual([third, first]);
    expect(find('"srv data"')).toEqual([first]);
    expect(find('"data srv"')).toEqual([]);
  });
  it("reasons, policies and what was said, but not the result of a call", () => {
    const verdicts = JSON.stringify([{ policy: "pack/other", verdicts: [{ kind: "note", text: "Mind the gap." }] }]);
    const body = JSON.stringify({ tool_input: { command: "make" }, tool_response: { stdout: "secretive" } });
    const id = record("", { reason: "It deletes everything.", policy: "safety/x", verdicts, body });
    for (const words of ["deletes", "safety", "gap", "make", "Bash"]) expect(find(words)).toEqual([id]);
    expect(find("secretive")).toEqual([]);
  });
  it("entries that came after the last search, and more than a page of them", () => {
    const ids = Array.from({ length: 450 }, (_, number) => record(`npm run step${number} common`));
    expect(find("common")).toEqual(ids.reverse());
    const later = record("one more common");
    expect(find("common")[0]).toBe(later);
  });
});

describe("a search does not find", () => {
  it("what was deleted, nor an old entry under an id that was given again", () => {
    const [old, newest] = [record("first"), record("second")];
    expect(find("second")).toEqual([newest]);
    db.run("DELETE FROM journal WHERE id = ?", newest);
    expect(record("third")).toBe(newest);
    expect(find("second")).toEqual([]);
    expect(find("third")).toEqual([newest]);
    db.run("DELETE FROM journal WHERE id = ?", old);
    expect(find("first")).toEqual([]);
  });
});

it("a search term is never syntax", () => {
  record("a plain command NOT OR AND NEAR");
  const tricky = [
    '"',
    '""',
    'x"*',
    "NEAR(a b)",
    "text : a",
    "a OR b",
    "- a",
    "^a",
    "a AND",
    "(",
    "*",
    "'; DROP TABLE words",
  ];
  for (const words of tricky) expect(() => find(words)).not.toThrow();
  expect(find("command NOT plain").length).toBe(1);
  expect(find("zebra OR command")).toEqual([]);
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 30 }), (words) => {
      expect(() => [...index.find(words)]).not.toThrow();
    }),
    { numRuns: 200, seed: 7 },
  );
});

it("quotes every word that has a letter or a digit", () => {
  expect(matchOf('rm -- -rf "two words"* src*')).toBe('"rm" "-rf" "two words"* "src*"*');
});

it("a damaged index is made again", () => {
  const id = record("here");
  index.close();
  const file = path.join(folder, "search.db");
  removeSearchIndex(file);
  fs.writeFileSync(file, "no database at all, and long enough to be taken for one ".repeat(40));
  index = new SearchIndex(file);
  expect(find("here")).toEqual([id]);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
});
