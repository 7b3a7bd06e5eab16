// The names of the five systems, and the places of tests, for the tables about conflicts.
import { shows } from "../../test-names.mjs";

export const policy = (id, ...names) => shows(`src/policies/${id}.test.ts`, ...names);
export const invariants = (...names) => shows("src/engine/tests/invariants.test.ts", ...names);
export const NTM = "ntm-orchestrator";
export const PLAN = "project-orchestrator";
export const ENGINE = "workflow-engine";
export const TEAMS = "agent-team-mail";
export const OMC = "oh-my-claudecode";
