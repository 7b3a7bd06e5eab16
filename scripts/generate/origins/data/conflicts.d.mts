import type { Decision } from "../conflicts-page.mjs";

export const DECISIONS: readonly Decision[];
