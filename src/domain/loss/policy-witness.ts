import type { PolicyContext } from "../../core/policy.ts";
import type { Witness } from "./judge.ts";

/** The probes that a policy's context provides. */
export function eyewitness(
  { info, list, git, read }: Pick<PolicyContext, "info" | "list" | "git" | "read">,
  { isOurs }: Pick<Witness, "isOurs">,
): Pick<Witness, "info" | "list" | "git" | "isOurs" | "inText"> {
  return {
    info,
    list,
    isOurs,
    git: (folder, args) => git(folder, args, (stdout, code) => ({ stdout, code })),
    inText: (path, find) => read.text(path, "does-harm", find),
  };
}
