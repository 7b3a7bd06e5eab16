import * as zod from "zod";
import { claudeCode } from "../agents/claude-code/adapter.ts";
import * as patterns from "../config/patterns.ts";
import { readYaml } from "../config/read-yaml.ts";
import { readToml } from "../config/toml.ts";
import { DEFAULT_CONTEXT_BUDGET } from "../core/context-budget.ts";
import type { AnyEvent } from "../core/event.ts";
import type { Reply } from "../core/frame.ts";
import { type ActivePolicy, applies, type PolicyResult } from "../core/pipeline.ts";
import type { PersonAnswer, Policy } from "../core/policy.ts";
import type { BoardCounts } from "../core/ports.ts";
import type { Ruling } from "../core/ruling.ts";
import { WAIT } from "../core/settings/approvals.ts";
import type { ContextPolicy } from "../core/settings/config.ts";
import { spendingTable, spentSoFar } from "../domain/usage/spent-so-far.ts";
import { type ForeignFormats, openForeignFormats, yamlOf } from "../engine/config/foreign-formats.ts";
import { judge } from "../engine/decide/judge.ts";
import { PREVIEW_SNAPSHOT } from "../engine/decide/snapshots.ts";
import { syncStores } from "../engine/decide/sync-stores.ts";
import { ANSWER, surroundingsOf, type World } from "../engine/decide/world.ts";
import { writeEvent } from "../engine/record/write-event.ts";
import { Database } from "../state/database.ts";
import { mirrorOf } from "../state/exported-files.ts";
import { hasGuarded } from "../state/journal.ts";
import { takeSnapshot } from "../state/sessions.ts";
import type { SessionRef } from "../state/stores.ts";
import { homeAt } from "../system/home.ts";
import { PROJECT, USER_HOME } from "./events.ts";
import { FAKE_PID, type FakeWorld, fakePorts } from "./fake-ports.ts";

/** Paths of files of the build. */
const WORKER = "/opt/hookwright/outside-worker.cjs";
export const ENGINE = "/opt/hookwright/engine";

export interface SandboxOptions extends FakeWorld {
  readonly mode?: "observe" | "enforce";
  readonly options?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly contextPolicy?: ContextPolicy;
  readonly contextBudget?: { readonly start: number; readonly tool: number };
  /** There is no program `engine`, so no session can be started. */
  readonly hasNoEngine?: boolean;
  /** Writes state that is there before the first event. */
  seed?(db: Database): void;
  /** The project's task board. */
  readonly board?: BoardCounts;
  /** What a person has answered to the permission request. */
  readonly answer?: PersonAnswer;
  /** A `settled` handler may throw. In any other test such an error fails the test. */
  readonly mayFailToSettle?: boolean;
}

export interface Sent {
  readonly ruling: Ruling;
  readonly results: readonly PolicyResult[];
  readonly reply: Reply;
  readonly jobs: readonly number[];
  /** The names of the facts that were read before the transaction; reads inside it would block other writers. */
  readonly looked: readonly string[];
}

export interface Sandbox {
  readonly db: Database;
  /** Decides one event through the real pipeline, merge and transaction. */
  send(event: AnyEvent): Promise<Sent>;
  close(): void;
}

let events = 0;

/** Runs a few policies with a database in memory and an outside world that the test defines. */
export function createSandbox(policies: readonly Policy[], options: SandboxOptions = {}): Sandbox {
  const db = new Database(":memory:", 50);
  options.seed?.(db);
  const ports = fakePorts(options);
  const home = homeAt(`${USER_HOME}/.local/share/hookwright`, USER_HOME, ports.realPath);
  const formats: ForeignFormats = {
    ...openForeignFormats(home, { readYaml, readToml, loadPatterns: () => patterns }, true),
    readYaml(file) {
      const text = ports.readText(file, Number.MAX_SAFE_INTEGER);
      return text === undefined ? { kind: "absent" } : yamlOf(text, file, readYaml);
    },
  };
  const active = policies.map(
    (policy): ActivePolicy => ({
      policy,
      mode: options.mode ?? "enforce",
      options: (policy.options?.(zod) ?? zod.object({})).parse(options.options ?? {}),
    }),
  );
  return {
    db,
    close: () => db.close(),
    async send(event) {
      const ref: SessionRef = { agent: event.agent, session: event.session, agentId: event.agentId, project: PROJECT };
      const env = { HOME: USER_HOME, ...options.env };
      // Created for each event, so that a test may change the world between events.
      const outside = surroundingsOf(event, { env, ppid: FAKE_PID }, claudeCode, home, {
        ports: fakePorts(withEngine(options)),
        formats,
        isResident: true,
        policyWorker: WORKER,
        boardOf: () => options.board,
        endBoard: () => "",
      });
      if (options.answer) outside.facts.read(ANSWER, () => options.answer);
      const looking = active.filter(({ policy }) => applies(entryOf(policy), event));
      await syncStores({ db, ref, policies: looking, world: outside });
      const snapshot = takeSnapshot(db, ref, true);
      const world: World = {
        ...outside,
        flags: snapshot.flags,
        calls: snapshot.calls,
        contextPolicy: options.contextPolicy ?? "preserve",
        hasGuarded: (useId) => hasGuarded(db, event.session, useId),
        mirrorOf: (file) => mirrorOf(db, file),
        spentBy: (session) => spentSoFar(spendingTable(db, ref.project), session, ports.now()),
      };
      const judgement = await judge({
        world,
        policies: looking,
        policiesBefore: async (call) => active.filter(({ policy }) => applies(entryOf(policy), call)),
        problems: [],
        contextBudget: options.contextBudget ?? DEFAULT_CONTEXT_BUDGET,
        db,
        ref,
        snapshot,
        budget: 1_000,
        makeSnapshot: PREVIEW_SNAPSHOT,
      });
      const looked = Object.keys(world.facts.toJSON());
      const reply = claudeCode.encode(event, judgement.ruling, "json");
      const key = `sandbox-${++events}`;
      const body = Buffer.from(key);
      const waits = { until: ports.now() + WAIT.ms, owner: "" };
      const input = { db, world, ref, key, body, via: "", snapshot, judgement, reply, microseconds: 0, waits };
      const committed = db.transaction(() => writeEvent(input))?.value;
      if (committed?.kind !== "written") throw new Error("the event was not written");
      if (!options.mayFailToSettle) mustHaveSettled(db);
      return { ruling: judgement.ruling, results: judgement.results, reply, jobs: committed.jobs, looked };
    },
  };
}

function withEngine(options: SandboxOptions): SandboxOptions {
  return options.hasNoEngine ? options : { ...options, files: { ...options.files, [ENGINE]: "#!/bin/sh\n" } };
}

function entryOf(policy: Policy): Parameters<typeof applies>[0] {
  const names = [...Object.keys(policy.on), ...Object.keys(policy.settled ?? {})] as AnyEvent["name"][];
  return { events: names, ...(policy.filter ? { kinds: policy.filter.kinds } : {}) };
}

function mustHaveSettled(db: Database): void {
  const row = db.get("SELECT verdicts FROM journal ORDER BY id DESC LIMIT 1");
  const results = JSON.parse(String(row?.verdicts)) as { readonly policy: string; readonly settleError?: string }[];
  for (const { policy, settleError } of results) {
    if (settleError !== undefined) throw new Error(`${policy} could not settle: ${settleError}`);
  }
}
