import type { Effect } from "../../shell/effects/effect.ts";

/** Kinds of loss that one denial is warning enough for, as the one-strike hook counts them. */
export function strikeClass({ kind, by }: Effect): string | undefined {
  if (kind === "delete-tree" || kind === "delete-file") return "delete";
  if (kind === "discard-uncommitted" || kind === "rewrite-history" || kind === "delete-remote-history")
    return by.program === "git" ? `git ${kind}` : kind;
  return undefined;
}
