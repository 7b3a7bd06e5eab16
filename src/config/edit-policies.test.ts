import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withListItem, withPolicyMode } from "./edit-policies.ts";
import { readYaml } from "./read-yaml.ts";

const ID = "safety/secret-leak";
const ITEM = { kind: "delete-tree", target: "build/**", reason: "it's made: again #1" };

function textOf(edit: ReturnType<typeof withPolicyMode>): string {
  if ("detail" in edit) throw new Error(edit.detail);
  return edit.text;
}

describe("the mode of a policy", () => {
  it.each([
    ["", "policies:\n  safety/secret-leak: observe\n"],
    ["profiles: [safety]", "profiles: [safety]\npolicies:\n  safety/secret-leak: observe\n"],
    ["# mine\npolicies:\n  a/b: off # why\n", "# mine\npolicies:\n  safety/secret-leak: observe\n  a/b: off # why\n"],
    ["policies:\n    a/b: off\n", "policies:\n    safety/secret-leak: observe\n    a/b: off\n"],
    [`policies:\n  ${ID}: enforce # keep\n`, `policies:\n  ${ID}: observe # keep\n`],
    [
      `policies:\n  ${ID}:\n    mode: off # keep\n    x: 1\n`,
      `policies:\n  ${ID}:\n    mode: observe # keep\n    x: 1\n`,
    ],
    [`policies:\n  ${ID}:\n    x: 1\n`, `policies:\n  ${ID}:\n    mode: observe\n    x: 1\n`],
    [`policies:\n  ${ID}: { x: 1 }\n`, `policies:\n  ${ID}: { mode: observe, x: 1 }\n`],
    ["policies: {}\n", "policies: { safety/secret-leak: observe }\n"],
    ["policies:\n", "policies:\n  safety/secret-leak: observe\n"],
    ["policies:\r\n  a/b: off\r\n", "policies:\r\n  safety/secret-leak: observe\r\n  a/b: off\r\n"],
  ])("in %j", (before, after) => {
    expect(textOf(withPolicyMode(before, ID, "observe"))).toBe(after);
  });

  it.each(["- a\n- b\n", "a: [\n", "policies: &x\n  a/b: off\nb: *x\n"])("not in %j", (before) => {
    const edit = withPolicyMode(before, ID, "observe");
    expect("detail" in edit ? edit.detail : "").not.toBe("");
  });

  it("is what is read again, and nothing else changes", () => {
    const id = fc.constantFrom(ID, "a/b", "c/d");
    const value = fc.constantFrom("off", "{ mode: off }", "{ x: [1, 2] }", "\n    mode: enforce\n    x: y", "");
    const file = fc.uniqueArray(fc.tuple(id, value), { selector: ([name]) => name });
    fc.assert(
      fc.property(file, id, fc.constantFrom("off", "observe", "enforce"), (entries, changed, mode) => {
        const text = `a: 1\npolicies:\n${entries.map(([name, set]) => `  ${name}: ${set}\n`).join("")}b: 2 # end\n`;
        const edit = withPolicyMode(text, changed, mode as "off");
        const [before, after] = [readYaml(text), readYaml(textOf(edit))];
        const policies = (yaml: typeof before) =>
          (yaml.kind === "data" ? Reflect.get(Object(yaml.value), "policies") : {}) ?? {};
        const set = policies(after)[changed];
        expect(typeof set === "string" ? set : set.mode).toBe(mode);
        expect({ ...policies(after), [changed]: 0 }).toEqual({ ...policies(before), [changed]: 0 });
        expect(textOf(edit)).toContain("b: 2 # end");
      }),
      { seed: 3, numRuns: 200 },
    );
  });
});

describe("an item of a list", () => {
  const line = `{ kind: "delete-tree", target: "build/**", reason: "it's made: again #1" }`;
  it.each([
    ["", `policies:\n  ${ID}:\n    allow:\n      - kind: delete-tree\n`],
    [`policies:\n  ${ID}: observe\n`, `{ mode: observe, allow: [${line}] }`],
    [`policies:\n  ${ID}:\n    mode: enforce\n`, `    allow: [${line}]\n    mode: enforce\n`],
    [`policies:\n  ${ID}:\n    allow: []\n`, `    allow: [${line}]\n`],
    [`policies:\n  ${ID}:\n    allow: [{ kind: a }]\n`, `allow: [${line}, { kind: a }]`],
    [
      `policies:\n  ${ID}:\n    allow:\n      # first\n      - kind: a\n        b: c\n`,
      `      - ${line}\n      - kind: a\n        b: c\n`,
    ],
  ])("in %j", (before, part) => {
    expect(textOf(withListItem(before, ID, "allow", ITEM))).toContain(part);
  });
});
