import { describe, expect, test } from "vitest";
import { profilesIn, withProfiles } from "./edit-profiles.ts";

const WANTED = ["safety", "ntm"] as const;

/** The file before the edit, and with the profiles safety and ntm. */
const EDITS: readonly (readonly [name: string, before: string, after: string])[] = [
  ["no text", "", "profiles: [safety, ntm]\n"],
  ["comments alone", "# mine\n", "# mine\nprofiles: [safety, ntm]\n"],
  ["no last newline", "contextPolicy: restart", "contextPolicy: restart\nprofiles: [safety, ntm]\n"],
  [
    "another key, with comments everywhere",
    "# top\nrules: # why\n  # inside\n  - { id: a, do: deny, text: no, program: x }   # end\n\n# last\n",
    "# top\nrules: # why\n  # inside\n  - { id: a, do: deny, text: no, program: x }   # end\n\n# last\nprofiles: [safety, ntm]\n",
  ],
  ["a list in brackets", "profiles:   [ plan ]  # mine\na: 1\n", "profiles:   [safety, ntm]  # mine\na: 1\n"],
  ["a list in brackets over lines", "profiles: [\n  plan,\n]\n# b\n", "profiles: [safety, ntm]\n# b\n"],
  ["a quoted key", '"profiles": [plan]\n', '"profiles": [safety, ntm]\n'],
  ["nothing behind the key", "profiles:\na: 1\n", "profiles: [safety, ntm]\na: 1\n"],
  ["nothing but a comment behind the key", "profiles: # later\n", "profiles: [safety, ntm] # later\n"],
  ["a tilde", "profiles: ~ # none\n", "profiles: [safety, ntm] # none\n"],
  ["one name that is no list", "profiles: plan\n", "profiles: [safety, ntm]\n"],
  [
    "one name per line: what stays keeps its comment",
    "profiles:\n  # always\n  - safety  # yes\n  - plan    # gone\n\n# rules\nrules: []\n",
    "profiles:\n  # always\n  - safety  # yes\n  - ntm\n\n# rules\nrules: []\n",
  ],
  ["one name per line, none of which stays", "profiles:\n- plan\n- omc\n", "profiles:\n- safety\n- ntm\n"],
  ["the last line of the file is a name", "profiles:\n  - plan\n  - ntm", "profiles:\n  - ntm\n  - safety\n"],
  ["a mapping in braces", "{contextPolicy: restart}\n", "{profiles: [safety, ntm], contextPolicy: restart}\n"],
  ["empty braces", "{}\n", "{profiles: [safety, ntm]}\n"],
  ["keys that are indented", "  contextPolicy: restart\n", "  contextPolicy: restart\n  profiles: [safety, ntm]\n"],
  ["lines of Windows", "a: 1\r\n", "a: 1\r\nprofiles: [safety, ntm]\r\n"],
  ["a byte order mark", "\uFEFFa: 1\n", "\uFEFFa: 1\nprofiles: [safety, ntm]\n"],
  ["the same names", "profiles: [safety, ntm] # x\n", "profiles: [safety, ntm] # x\n"],
];

describe("profiles are written, and everything else stays", () => {
  test.each(EDITS)("%s", (_name, before, after) => {
    expect(withProfiles(before, WANTED)).toEqual({ text: after });
    expect(withProfiles(after, WANTED)).toEqual({ text: after });
    expect(profilesIn(after)?.toSorted()).toEqual(["ntm", "safety"]);
  });
});

describe("what cannot be edited is refused with its place", () => {
  test.each([
    ["no YAML", "a: [\n", { line: 2 }],
    ["a key twice", "a: 1\na: 2\n", { line: 2, column: 1 }],
    ["a list for the whole", "- safety\n", { line: 1, column: 1 }],
    ["a document that is closed", "a: 1\n...\n", {}],
    ["a name that others refer to", "profiles: &p [plan]\nx: *p\n", {}],
    ["an explicit key", "? profiles\n: - plan\n", {}],
  ])("%s", (_name, text, place) => {
    expect(withProfiles(text, WANTED)).toMatchObject({ place, detail: expect.stringMatching(/\w/) });
  });
});

test.each([
  ["", undefined],
  ["profiles:\n", undefined],
  ["profiles: [\n", undefined],
  ["profiles: []\n", []],
  ["profiles: [ntm, unknown, ntm, 5]\n", ["ntm"]],
])("the names of %j", (text, names) => {
  expect(profilesIn(text)).toEqual(names);
});
