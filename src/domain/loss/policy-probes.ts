import type { PolicyContext } from "../../core/policy.ts";
import type { LossProbes } from "./effect-loss.ts";

/** The probes that a policy's context provides. */
export function policyProbes(
  { info, list, git, read }: Pick<PolicyContext, "info" | "list" | "git" | "read">,
  { isCreatedBySession }: Pick<LossProbes, "isCreatedBySession">,
): Pick<LossProbes, "info" | "list" | "git" | "isCreatedBySession" | "inText"> {
  return {
    info,
    list,
    isCreatedBySession,
    git: (folder, args) => git(folder, args, (stdout, code) => ({ stdout, code })),
    inText: (path, find) => read.text(path, "does-harm", find),
  };
}
