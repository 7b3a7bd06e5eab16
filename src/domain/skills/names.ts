import { fingerprint } from "../../core/text/fingerprint.ts";

const LONGEST = 50;
const MARKS = /\p{M}+/gu;

/** The id of a skill, which is also the name of its file and what a person types after the slash. */
export function skillId(name: string): string {
  const words = name.normalize("NFKD").replace(MARKS, "").toLowerCase();
  const id = words
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, LONGEST)
    .replace(/-+$/, "");
  // A name in another alphabet leaves nothing.
  return /[a-z]/.test(id) ? id : `skill-${fingerprint(name).slice(0, 8)}`;
}
