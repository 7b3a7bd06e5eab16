import type { Effect } from "../../effects/effect.ts";

/** A loss that the person's configuration allows, with the reason for it. */
export interface Allowance {
  readonly kind: string;
  readonly target: string;
  readonly reason: string;
  /** ISO date from which the allowance no longer applies. */
  readonly until?: string | undefined;
}

export function isAllowedLoss(effect: Effect, allowances: readonly Allowance[], now: number): boolean {
  return allowances.some(
    ({ kind, target, until }) =>
      kind === effect.kind &&
      (until === undefined || now < Date.parse(until)) &&
      (matchesGlob(target, effect.target) || (effect.path !== undefined && matchesGlob(target, effect.path))),
  );
}

/** `*` matches anything but a slash, `**` anything. Linear in the text for each part of the pattern: no backtracking. */
export function matchesGlob(glob: string, text: string): boolean {
  const parts = glob.split(/(\*\*|\*)/);
  let ends = new Set([0]);
  for (const part of parts) {
    const next = new Set<number>();
    for (const at of ends) {
      if (part !== "*" && part !== "**") {
        if (text.startsWith(part, at)) next.add(at + part.length);
        continue;
      }
      for (let end = at; end <= text.length; end++) {
        if (next.has(end)) break;
        next.add(end);
        if (part === "*" && text[end] === "/") break;
      }
    }
    ends = next;
  }
  return ends.has(text.length);
}
