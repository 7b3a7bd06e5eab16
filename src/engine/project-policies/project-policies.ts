import { type AnyEvent, EVENTS } from "../../core/event.ts";
import { type ActivePolicy, applies } from "../../core/pipeline.ts";
import type { Places, Policy, PolicyContext } from "../../core/policy.ts";
import type { Config } from "../../core/settings/config.ts";
import type { CachedRead } from "../../system/file-cache.ts";
import type { Home } from "../../system/home.ts";
import { type Limits, PolicyHost } from "./host.ts";
import { type FolderStanding, openFolders } from "./policy-folder.ts";
import type { LoadedPolicy, PolicyAnswer } from "./protocol.ts";
import { readSaid } from "./verdicts.ts";

/** A worker has 64 MB for everything; the copy of an event must leave room for its policies. */
const LARGEST_EVENT = 4 * 1024 * 1024;
const LONGEST_RUN_MS = 1_000;
const LONGEST_LOAD_MS = 2_000;
/** A client waits a quarter of its time for the daemon. The answer should be there before, so policies get a fifth. */
const SHARE_OF_RUN = 5;
const SHARE_OF_LOAD = 2;

export interface PoliciesOfProject {
  readonly policies: readonly ActivePolicy[];
  /** What the person should know about a project's policies; each is told once per session. */
  readonly problems: readonly string[];
}

export interface PolicyQuestion {
  readonly event: AnyEvent;
  readonly project: string;
  readonly config: Config;
  /** The environment of the hook. */
  readonly env: Readonly<Record<string, string>>;
  /** How many bytes the event came in. */
  readonly size: number;
  /** Milliseconds that are left until the answer is due. */
  remaining(): number;
}

export interface ProjectPolicies {
  policiesFor(question: PolicyQuestion): PoliciesOfProject | Promise<PoliciesOfProject>;
  close(): void;
}

export const NO_POLICIES: PoliciesOfProject = { policies: [], problems: [] };

/** The policies that projects bring along, each project's in a worker of its own, as policies like any other. */
export function openProjectPolicies(home: Home, workerFile: string, cached?: CachedRead): ProjectPolicies {
  const standingOf = openFolders(home);
  const hosts = new Map<string, PolicyHost>();

  function drop(project: string): void {
    hosts.get(project)?.close();
    hosts.delete(project);
  }

  return {
    policiesFor(question) {
      const { event, project } = question;
      // At such an event no verdict is legal, so no policy is asked.
      if (EVENTS[event.name].verdicts.length === 0) return NO_POLICIES;
      const read = (): FolderStanding => standingOf(project);
      const standing = cached ? cached(`policies ${project}`, read) : read();
      if (standing.kind !== "trusted") {
        drop(project);
        return standing.kind === "none" ? NO_POLICIES : { policies: [], problems: [standing.problem] };
      }
      const { trusted } = standing;
      if (hosts.get(project)?.sha256 !== trusted.sha256) drop(project);
      const host = hosts.get(project) ?? new PolicyHost(workerFile, trusted);
      hosts.set(project, host);
      return askedOf(host, question);
    },
    close() {
      for (const project of [...hosts.keys()]) drop(project);
    },
  };
}

/** The policies of the project that apply to the event. The worker is asked when the pipeline calls the first of them. */
async function askedOf(host: PolicyHost, question: PolicyQuestion): Promise<PoliciesOfProject> {
  const { event, config } = question;
  const { policies, notRun } = await host.known(limitsFor(question));
  const active = policies.flatMap((policy) => {
    const mode = config.policies[policy.id]?.mode ?? "enforce";
    return mode === "off" || !applies(policy, event) ? [] : [{ policy, mode }];
  });
  const ids = active.map(({ policy }) => policy.id);
  let answerOf: ((id: string) => Promise<PolicyAnswer>) | undefined;
  const handlerOf =
    (id: string) =>
    async (_event: AnyEvent, ctx: PolicyContext): Promise<unknown> => {
      if (question.size > LARGEST_EVENT) throw new Error(`is not asked about events of ${question.size} bytes`);
      // The first call asks all of them at once, and only once: a second try of the decision uses the same answers.
      answerOf ??= host.ask(
        { ids, event, actor: ctx.actor, places: plain(ctx.places), now: ctx.now() },
        limitsFor(question),
      );
      const answer = await answerOf(id);
      if ("error" in answer) throw new Error(answer.error);
      return readSaid(answer.said);
    };
  return {
    problems: notRun.map(({ problem }) => problem),
    policies: active.map(({ policy, mode }) => ({ policy: asPolicy(policy, handlerOf(policy.id)), mode, options: {} })),
  };
}

/** The places as plain values: another thread gets a copy, and getters are not copied. */
function plain({ home, personConfig, runtimeDir, userHome, agentSettings, tempDir, uid, engine }: Places): Places {
  return { home, personConfig, runtimeDir, userHome, agentSettings, tempDir, uid, engine };
}

function limitsFor({ remaining }: PolicyQuestion): Limits {
  const left = Math.max(0, remaining());
  return {
    runMs: Math.min(LONGEST_RUN_MS, left / SHARE_OF_RUN),
    loadMs: Math.min(LONGEST_LOAD_MS, left / SHARE_OF_LOAD),
  };
}

function asPolicy({ id, summary, why, stage, messages, events }: LoadedPolicy, handler: unknown): Policy {
  const on = Object.fromEntries(events.map((name) => [name, handler])) as Policy["on"];
  // The examples of a project policy are neither run nor printed.
  return { id, summary, why, stage, messages, examples: { hit: [summary], pass: [summary] }, on };
}
