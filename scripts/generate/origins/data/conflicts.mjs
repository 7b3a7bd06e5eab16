// Where the five systems contradict each other: who wants what, what Hookwright does, how to change it, and the tests that
// fail when it is done the other way round.
import { FIRST } from "./conflicts/a-to-h.mjs";
import { SECOND } from "./conflicts/i-to-o.mjs";

/** The letters are stable: other pages refer to them. */
export const DECISIONS = [...FIRST, ...SECOND];
