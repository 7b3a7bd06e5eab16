import { excludesEachOther, type ModeName } from "../modes.ts";

/** In which order the modes of one prompt are started: where two exclude each other, the first one stays. */
const ORDER: readonly ModeName[] = [
  "ralph",
  "autopilot",
  "ultrapilot",
  "ultrawork",
  "ecomode",
  "swarm",
  "pipeline",
  "ultraqa",
];
/** A mode that makes another one superfluous, where a person asks for both. */
const REPLACES: Readonly<Partial<Record<ModeName, ModeName>>> = { ecomode: "ultrawork", ultrapilot: "autopilot" };

/** Every mode once, in order. */
export function inOrder(modes: readonly ModeName[]): ModeName[] {
  return ORDER.filter((mode) => modes.includes(mode));
}

/** The modes to start, of those that a prompt names and those that its phrases mean. A name counts more than a phrase. */
export function withoutConflicts(named: readonly ModeName[], byPhrase: readonly ModeName[]): ModeName[] {
  const free = byPhrase.filter((mode) => !named.some((one) => excludesEachOther(one, mode)));
  const all = inOrder([...named, ...free]);
  return all.filter((mode) => !all.some((one) => REPLACES[one] === mode));
}
