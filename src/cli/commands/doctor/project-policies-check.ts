import path from "node:path";
import { projectPolicies } from "../../installation/project-policies.ts";
import type { DoctorContext } from "./context.ts";
import { type DoctorFinding, noteFinding, okFinding, problemFinding } from "./finding.ts";

/** The finding about the project's own policies; empty when the project has none. */
export async function projectPoliciesFindings({ home, cwd, dist }: DoctorContext): Promise<DoctorFinding[]> {
  const name = "project's policies";
  const { policies, problem: whole } = await projectPolicies(home, cwd, path.join(dist, "outside-worker.cjs"));
  const named = (state: string): string[] => policies.filter((one) => one.state === state).map(({ id }) => id);
  const broken = policies.flatMap((one) => (one.state === "broken" ? [one.problem] : []));
  if (broken.length > 0) {
    return [
      problemFinding(
        name,
        [...new Set([whole, ...broken])].join(" ").trim(),
        "Correct these policies, then run `hookwright trust` in this project.",
      ),
    ];
  }
  if (whole !== "" && policies.length === 0)
    return [problemFinding(name, whole, "Correct these policies, then run `hookwright trust` in this project.")];
  if (whole !== "") {
    return [noteFinding(name, `${named("not trusted").join(", ")}: not trusted`, whole)];
  }
  const running = named("trusted");
  return running.length > 0 ? [okFinding(name, `${running.join(", ")}: trusted`)] : [];
}
