import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RuleWorld, type Said } from "./rules.samples.ts";

let world: RuleWorld;
beforeAll(() => {
  world = new RuleWorld();
});
afterAll(() => world.close());

const tool = fc.constantFrom("Bash", "shell", "edit", ["Write", "Bash"]);
const program = fc.constantFrom("rm", "kubectl", ["git", "rm"]);
const pattern = fc.constantFrom("prod", "(?i)FORCE", "a{0,200}b{200}", ".");
const globs = fc.constantFrom("infra/**", "**/*.tf", "~/x", ["src", "infra/*"]);
const conditions = fc.oneof(
  fc.record({ tool }),
  fc.record({ program }),
  fc.record({ pattern }),
  fc.record({ path: globs }),
  fc.record({ tool, program, pattern, path: globs }, { requiredKeys: ["tool"] }),
);
const mode = fc.constantFrom("off", "observe", ...Array<string>(6).fill("enforce"));
const rules = fc.uniqueArray(
  fc
    .tuple(
      conditions,
      fc.record({
        id: fc.constantFrom("a", "b", "c", "z"),
        do: fc.constantFrom("deny", "ask", "note"),
        mode,
        text: fc.constantFrom("One.", "Two."),
      }),
    )
    .map((parts) => Object.assign({}, ...parts) as { id: string }),
  { maxLength: 4, selector: ({ id }) => id },
);
const part = fc.constantFrom("rm -rf infra", "kubectl get prod", "git push --force", "touch src/a.tf", "echo hi", "ls");
const command = fc.oneof(
  { weight: 6, arbitrary: fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(" && ")) },
  { weight: 1, arbitrary: part.map((line) => `${line} 'unclosed`) },
  { weight: 1, arbitrary: part.map((line) => `${line} ${"a".repeat(60_000)}`) },
);

const RANK: Readonly<Record<string, number>> = { pass: 0, ask: 1, deny: 2 };
const rankOf = ({ outcome }: Said): number => RANK[outcome] ?? Number.NaN;

it("rules of a project that nobody trusted never loosen a ruling, and never speak to the model", async () => {
  const seen = { stricter: 0, denied: 0, asked: 0 };
  await fc.assert(
    fc.asyncProperty(rules, rules, command, async (mine, theirs, line) => {
      const before = await world.person(mine).theirs([]).shell(line);
      const after = await world.theirs(theirs).shell(line);
      expect(rankOf(after)).toBeGreaterThanOrEqual(rankOf(before));
      expect(after.notes.filter((note) => !before.notes.includes(note))).toEqual([]);
      // What the person's rules say does not depend on the project's.
      for (const [id, said] of Object.entries(before.rules)) expect(after.rules[id], id).toBe(said);
      if (rankOf(after) > rankOf(before)) seen.stricter++;
      if (before.outcome === "deny") seen.denied++;
      if (before.outcome === "ask") seen.asked++;
    }),
    { numRuns: 200 },
  );
  // Otherwise there was nothing to loosen, and the property says nothing.
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(5);
}, 180_000);
