import { type ProfileName, packsOf } from "../../core/settings/profiles.ts";
import { registry } from "../../policies/index.gen.ts";

export function hasPolicies(profile: ProfileName): boolean {
  const packs = packsOf([profile], true);
  return registry.some(({ pack }) => packs.has(pack));
}

/** Notes about unexpected consequences of this choice of profiles. */
export function profileNotes(profiles: readonly ProfileName[]): string[] {
  const empty = profiles.filter((name) => !hasPolicies(name));
  const notes = empty.map((name) => `\`${name}\` has no policies in this version.`);
  if (!profiles.includes("safety")) notes.push("The profile `safety` is not on: no command and no file is guarded.");
  return notes;
}
