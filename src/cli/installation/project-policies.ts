import { printable } from "../../config/printable.ts";
import { projectRoot } from "../../core/actor.ts";
import { PolicyHost } from "../../engine/project-policies/host.ts";
import { candidatesIn, listFolder, openFolders, policyFolderOf } from "../../engine/project-policies/policy-folder.ts";
import type { LoadedPolicy } from "../../engine/project-policies/protocol.ts";
import type { Home } from "../../system/home.ts";
import { system } from "../../system/system.ts";

/** More time than in a hook, because a person waits. */
const LIMITS = { loadMs: 5_000, runMs: 0 };

/** One file of a project's own policies. */
export type ProjectPolicy =
  | { readonly id: string; readonly state: "trusted"; readonly policy: LoadedPolicy }
  /** The policy does not run, for the reason in `problem`. */
  | { readonly id: string; readonly state: "not trusted" | "broken"; readonly problem: string };

export interface ListedProjectPolicies {
  readonly policies: readonly ProjectPolicy[];
  /** Why no policy of the folder runs; empty when they may run. */
  readonly problem: string;
}

/** The policies in the project's folder. Only trusted ones are loaded, in the same way as for an event. */
export async function projectPolicies(home: Home, cwd: string, workerFile: string): Promise<ListedProjectPolicies> {
  const project = projectRoot(cwd, system);
  const standing = openFolders(home)(project);
  if (standing.kind === "none") return { policies: [], problem: "" };
  if (standing.kind === "not-run") {
    const problem = printable(standing.problem, 2_000);
    return { policies: notTrusted(project, problem), problem };
  }
  const host = new PolicyHost(workerFile, standing.trusted);
  try {
    const { policies, notRun } = await host.known(LIMITS);
    const running = policies.map((policy) => ({ id: policy.id, state: "trusted" as const, policy }));
    const broken = notRun.map(({ id, problem }) => ({
      id: printable(id),
      state: "broken" as const,
      problem: printable(problem, 2_000),
    }));
    return { policies: [...running, ...broken], problem: "" };
  } finally {
    host.close();
  }
}

/** Lists untrusted policies by file name only: the content of an untrusted file is not used. */
function notTrusted(project: string, problem: string): ProjectPolicy[] {
  const folder = policyFolderOf(project);
  const listed = listFolder(folder);
  if (listed === undefined || "refused" in listed) return [];
  const { candidates, misnamed } = candidatesIn(
    folder,
    listed.map(({ name }) => name),
  );
  return [
    ...candidates.map(({ id }) => ({ id, state: "not trusted" as const, problem })),
    ...misnamed.map((one) => ({
      id: printable(one.id),
      state: "broken" as const,
      problem: printable(one.problem, 2_000),
    })),
  ];
}
