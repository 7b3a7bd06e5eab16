import type * as Bash from "unbash";

/** Where one of them fails there is no file, or an empty one. */
export const TESTS_FOR_FILE: ReadonlySet<string> = new Set(["-e", "-f", "-s"]);

/** `[[ -e x ]]`, `[[ ! -f x ]]`. */
export function lookedFor(test: Bash.TestExpression): { readonly looksFor?: "file" | "none" } {
  if (test.type === "TestUnary") return TESTS_FOR_FILE.has(test.operator) ? { looksFor: "file" } : {};
  if (test.type !== "TestNot" || test.negations.length !== 1) return {};
  return lookedFor(test.operand).looksFor === "file" ? { looksFor: "none" } : {};
}
