// The 31 hooks of oh-my-claudecode by the groups of its documentation: what does the same here, which tests show it, and
// what is different on purpose.
import { CONTEXT_GROUPS } from "./oh-my-claudecode/checks-and-context.mjs";
import { COORDINATION_GROUPS } from "./oh-my-claudecode/detection-and-coordination.mjs";
import { MODE_GROUPS } from "./oh-my-claudecode/modes.mjs";

/** Hooks whose policy or tests are not here yet. A page with names in it says so; the list is empty when all are. */
export const NOT_YET = [];

/**
 * `policies`: their events and defaults are read from them, their own tests are named by themselves. `standard`: what
 * applies beside that. `differs`: what is different, and why.
 */
export const GROUPS = [...MODE_GROUPS, ...CONTEXT_GROUPS, ...COORDINATION_GROUPS];
