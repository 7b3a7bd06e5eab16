/** The execution modes, in the order in which they hold a stop. */
export const MODES = [
  "ralph",
  "autopilot",
  "ultrapilot",
  "swarm",
  "pipeline",
  "ultraqa",
  "ultrawork",
  "ecomode",
] as const;
export type ModeName = (typeof MODES)[number];

export function isMode(name: string): name is ModeName {
  return (MODES as readonly string[]).includes(name);
}

/** How many rounds a run has before it pauses, where the configuration says nothing else. */
export const DEFAULT_ROUNDS: Readonly<Record<ModeName, number>> = {
  ralph: 100,
  autopilot: 20,
  ultrapilot: 20,
  swarm: 15,
  pipeline: 15,
  ultraqa: 5,
  ultrawork: 50,
  ecomode: 50,
};

/** After a running fleet (100) and a plan (200). */
const FIRST_RANK = 300;

/** The rank of a mode's hold at a stop. */
export function rankOf(mode: ModeName): number {
  return FIRST_RANK + MODES.indexOf(mode);
}

/** Only one of these runs in a session, because each directs the whole work. */
const EXCLUSIVE: readonly ModeName[] = ["autopilot", "ultrapilot", "swarm", "pipeline"];
const PAIRS: readonly (readonly [ModeName, ModeName])[] = [
  ["ralph", "ultraqa"],
  ["ecomode", "ultrawork"],
];

/** May these two modes not run in one session at the same time? */
export function excludesEachOther(one: ModeName, other: ModeName): boolean {
  if (one !== other && EXCLUSIVE.includes(one) && EXCLUSIVE.includes(other)) return true;
  return PAIRS.some(([a, b]) => (a === one && b === other) || (a === other && b === one));
}

/** A run that was not seen for this long is stale: it holds no stop, and can be resumed. */
export const STALE_MS = 2 * 60 * 60_000;

/** The policy that holds the stops of a mode. */
export const policyOf = (mode: ModeName): string => `modes/${mode}`;

/** The store of the modes, and the key of a session's runs in it. */
export const MODE_STORE = "modes";
export const runsKey = (session: string): string => `runs:${session}`;
