/** What may have to succeed. */
export const GOALS = ["tests", "build", "lint", "typecheck", "custom"] as const;
export type Goal = (typeof GOALS)[number];
/** A goal that projects of one kind check with the same command. */
export type UsualGoal = Exclude<Goal, "custom">;

/** A goal that only a command of the person defines. */
export const CUSTOM_GOAL = "custom";
export const DEFAULT_GOAL: Goal = "tests";

const OTHER_NAMES: Readonly<Record<string, Goal>> = {
  test: "tests",
  types: "typecheck",
  "type-check": "typecheck",
};

/** The goal with this name, in any case. */
export function goalNamed(name: string): Goal | undefined {
  const lower = name.toLowerCase();
  const other = Object.hasOwn(OTHER_NAMES, lower) ? OTHER_NAMES[lower] : undefined;
  return GOALS.find((goal) => goal === lower) ?? other;
}

/** What is the case when the goal is met. */
export const GOAL_TEXTS: Readonly<Record<Goal, string>> = {
  tests: "all tests pass",
  build: "the build succeeds",
  lint: "the linter succeeds",
  typecheck: "the type check succeeds",
  custom: "the command succeeds",
};
