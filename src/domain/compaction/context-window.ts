/** With one of these a person says that the model has a context of a million tokens, which no transcript tells. */
export const LARGE_WINDOW_ENV = ["ANTHROPIC_1M_CONTEXT", "VERTEX_ANTHROPIC_1M_CONTEXT"] as const;

const USUAL_WINDOW = 200_000;
const LARGE_WINDOW = 1_000_000;

/** How many tokens the context can hold, given how many it holds. */
export function windowOf(used: number, env: Readonly<Record<string, string | undefined>>): number {
  const isLarge = LARGE_WINDOW_ENV.some((name) => env[name]?.toLowerCase() === "true");
  return isLarge || used > USUAL_WINDOW ? LARGE_WINDOW : USUAL_WINDOW;
}
