import type { PolicyContext } from "../../core/policy.ts";
import type { Witness } from "./judge.ts";

/** What a policy can see for itself of what a line would hit. */
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
