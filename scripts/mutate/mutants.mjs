// The mutants: which changes are tried in which files, and which tests must fail with them.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** Decision code outside the policies, by family, with the tests that must fail. */
const DECISIONS = {
  "merge rules": {
    "src/core/ruling.ts": ["src/core/ruling.test.ts", "src/core/pipeline.test.ts"],
    "src/core/pipeline.ts": ["src/core/pipeline.test.ts", "src/core/ruling.test.ts"],
    "src/core/context-budget.ts": ["src/core/context-budget.test.ts", "src/engine/tests/after-effects.test.ts"],
  },
  arbiter: {
    "src/core/arbiter.ts": ["src/core/arbiter.test.ts", "src/core/ruling.test.ts"],
    "src/core/session-flags.ts": ["src/engine/tests/after-effects.test.ts"],
    "src/engine/decide/stop-bypass.ts": ["src/engine/tests/after-effects.test.ts"],
  },
  "key derivation": {
    "src/engine/receive/receive.ts": ["src/engine/receive/receive.test.ts"],
  },
  "domain approvals": {
    "src/domain/approvals/listed-command.ts": ["src/policies/validation/permission-handler.test.ts"],
    "src/domain/approvals/plain-command.ts": ["src/policies/validation/permission-handler.test.ts"],
    "src/domain/approvals/inside-project.ts": ["src/policies/validation/permission-handler.test.ts"],
  },
  "domain loss": {
    "src/domain/loss/started-scripts.ts": ["src/policies/safety/destructive-command.test.ts", "src/domain/loss"],
  },
  "domain ntm": {
    "src/domain/ntm/calls.ts": ["src/policies/ntm"],
    "src/domain/ntm/records.ts": ["src/policies/ntm"],
    "src/domain/ntm/runtime-directory.ts": ["src/policies/ntm"],
  },
  "domain plan": {
    "src/domain/plan/progress.ts": ["src/policies/plan"],
    "src/domain/plan/scopes.ts": ["src/policies/plan"],
    "src/domain/plan/settings.ts": ["src/policies/plan"],
    "src/domain/plan/state.ts": ["src/policies/plan"],
    "src/domain/plan/verification.ts": ["src/policies/plan"],
  },
  "domain session": {
    "src/domain/session/directives.ts": ["src/policies/session"],
    "src/domain/session/required-calls.ts": ["src/policies/session"],
    "src/domain/session/heartbeat.ts": ["src/policies/session"],
    "src/domain/session/handover/overflow.ts": ["src/policies/session"],
    "src/domain/session/options.ts": ["src/policies/session"],
    "src/domain/session/rules/evaluate.ts": ["src/domain/session/rules", "src/policies/session/rules.test.ts"],
    "src/domain/session/rules/triggers.ts": ["src/domain/session/rules", "src/policies/session/rules.test.ts"],
    "src/domain/session/handover/type-into-pane.ts": ["src/domain/session/handover/type-into-pane.test.ts"],
  },
  "domain team": {
    "src/domain/team/lifecycle.ts": ["src/domain/team/handle-request.test.ts", "src/policies/teams"],
    "src/domain/team/liveness.ts": ["src/domain/team/liveness.test.ts"],
    "src/domain/team/spawn.ts": ["src/policies/teams/spawn-gate.test.ts"],
    "src/domain/team/team-config.ts": ["src/domain/team/handle-request.test.ts", "src/policies/teams"],
  },
};

const SWAPS = [
  [" === ", " !== "],
  [" !== ", " === "],
  [" <= ", " < "],
  [" >= ", " > "],
  [" < ", " <= "],
  [" > ", " >= "],
  [" && ", " || "],
  [" || ", " && "],
  [" ?? ", " && "],
  ["return true;", "return false;"],
  ["return false;", "return true;"],
  [" + 1", " + 2"],
  ["!isSame", "isSame"],
  [".some(", ".every("],
  [".every(", ".some("],
];

/** Mutants without an observable effect, each with the reason; matched by file and the text of the line. */
const EQUIVALENT = JSON.parse(fs.readFileSync(path.join(root, "scripts/mutate/equivalent.json"), "utf8"));

const read = (file) => fs.readFileSync(path.join(root, file), "utf8");

/** One mutant for each comparison and operator of a file. */
function comparisons(family, file, tests) {
  const lines = read(file).split("\n");
  return lines.flatMap((line, index) => {
    const code = line.replace(/\/\/.*$/, "");
    if (/^\s*(\*|\/\*|import |export type |export interface )/.test(line) || /^\s*readonly /.test(line)) return [];
    return SWAPS.flatMap(([from, to]) =>
      occurrences(code, from).map((at, nth) => {
        const changed = line.slice(0, at) + to + line.slice(at + from.length);
        return {
          family,
          file,
          tests,
          what: `${index + 1}: ${line.trim()}  [${from.trim()} → ${to.trim()}${nth > 0 ? `, number ${nth + 1}` : ""}]`,
          equivalent: equivalentTo(file, line, from, nth),
          source: [...lines.slice(0, index), changed, ...lines.slice(index + 1)].join("\n"),
        };
      }),
    );
  });
}

function equivalentTo(file, line, from, nth) {
  return EQUIVALENT.find(
    (one) =>
      one.file === file && one.line === line.trim() && one.swap === from.trim() && (one.number ?? nth + 1) === nth + 1,
  );
}

function occurrences(text, part) {
  const found = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    // Not inside quoted text.
    if ((text.slice(0, at).match(/(?<!\\)["`]/g)?.length ?? 0) % 2 === 0) found.push(at);
  }
  return found;
}

const ALWAYS = `
function alwaysSay(name: string, ctx: any) {
  const message = Object.keys(original.messages)[0] as never;
  if (name === "tool.before" || name === "prompt.submit") return ctx.deny(message);
  if (name.endsWith(".stop") || name === "teammate.idle" || name === "task.completed") return ctx.hold(message, {}, { exit: "x" });
  return name === "tool.after" || name === "tool.failed" || name === "session.start" ? ctx.notice(message) : ctx.deny(message);
}
`;

/** Two mutants of a policy: one that says nothing, and one that always says its first message. */
function wholePolicy(family, file, tests) {
  const source = read(file).replace("export default policy(", "const original = policy(");
  const with_ = (handler) => `
const mutated = Object.fromEntries(Object.keys(original.on).map((name) => [name, ${handler}]));
export default { ...original, on: mutated };
`;
  const made = (what, tail) => ({ family, file, tests, what, source: source + tail });
  // A policy without `on` handlers does all its work in `settled`.
  if (source.includes("\n  on: {},\n"))
    return [made("settles nothing", "\nexport default { ...(original as object), settled: {} } as never;\n")];
  return [
    made("says nothing", with_("() => undefined")),
    made("always says its first message", ALWAYS + with_("(event: never, ctx: never) => alwaysSay(name, ctx)")),
  ];
}

function policyFiles() {
  return fs
    .readdirSync(path.join(root, "src/policies"), { recursive: true })
    .map((name) => path.join("src/policies", name))
    .filter((file) => /^src\/policies\/[^/]+\/[^/]+\.ts$/.test(file) && !file.endsWith(".test.ts"))
    .sort();
}

export function allMutants() {
  const inPolicies = policyFiles().flatMap((file) => {
    const family = `policies ${file.split("/")[2]}`;
    const tests = [file.replace(/\.ts$/, ".test.ts")];
    return [...wholePolicy(family, file, tests), ...comparisons(family, file, tests)];
  });
  const elsewhere = Object.entries(DECISIONS).flatMap(([family, files]) =>
    Object.entries(files).flatMap(([file, tests]) => comparisons(family, file, tests)),
  );
  return [...elsewhere, ...inPolicies];
}

/** Entries of equivalent.json that match no line any more. */
export function forgottenEquivalents(mutants) {
  const used = new Set(mutants.map(({ equivalent }) => equivalent));
  return EQUIVALENT.filter((one) => !used.has(one));
}
