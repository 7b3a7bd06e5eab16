import { type ProfileName, packsOf } from "../core/profiles.ts";
import { registry } from "../policies/index.gen.ts";

/** What somebody who chose these profiles may not expect. */
export function profileNotes(profiles: readonly ProfileName[]): string[] {
  const shipped = new Set(registry.map(({ pack }) => pack));
  const empty = profiles.filter((name) => ![...packsOf([name], true)].some((pack) => shipped.has(pack)));
  const notes = empty.map((name) => `\`${name}\` has no policies in this version.`);
  if (!profiles.includes("safety")) notes.push("The profile `safety` is not on: no command and no file is guarded.");
  return notes;
}
