import type { PolicyContext } from "../../core/policy.ts";
import type { Witness } from "./judge.ts";

/** What a policy can see for itself of what a line would hit. */
export function eyewitness(
  { info, git, read }: Pick<PolicyContext, "info" | "git" | "read">,
  { isOurs }: Pick<Witness, "isOurs">,
): Pick<Witness, "info" | "git" | "isOurs" | "inText"> {
  return {
    info,
    isOurs,
    git: (folder, args) => git(folder, args, (stdout, code) => ({ stdout, code })),
    inText: (path, find) => read.text(path, "does-harm", find),
  };
}
