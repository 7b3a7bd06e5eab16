import { describe, fill } from "../../core/errors.ts";
import type { AnyEvent, EventName, Json, ToolCall } from "../../core/event.ts";
import type { ActivePolicy } from "../../core/pipeline.ts";
import type { Fate, MessageData, SettledContext, When } from "../../core/policy.ts";
import type { SessionFlags } from "../../core/session-flags.ts";
import type { StoreDefinition } from "../../core/store.ts";
import { addLine } from "../../state/appended-lines.ts";
import { addAppend, holdMirror, mirrorText, setMirror } from "../../state/exported-files.ts";
import { addJob } from "../../state/jobs.ts";
import { maskedJson } from "../../state/masking.ts";
import { addNote } from "../../state/outbox.ts";
import { HOME_SCOPE, openStore, sessionScope } from "../../state/stores.ts";
import { closeAnswered, hasOpenRequest } from "../../state/waiting/permission-requests.ts";
import { keyOfCall } from "../decide/approvals.ts";
import { foreignFiles, pathOf } from "../decide/foreign-files.ts";
import { fileInfo, readMirror, recordedReads } from "../decide/world.ts";
import type { RecordInput } from "./write-event.ts";

type Settler = (event: AnyEvent, fate: Fate, ctx: SettledContext, store: never) => void;

interface SettlersAtEvent {
  readonly event: EventName;
  readonly settlers: readonly { readonly active: ActivePolicy; readonly settled: Settler }[];
}

/** Events of one kind have the same list of policies, so the settlers are kept with the list. */
const settlerLists = new WeakMap<readonly ActivePolicy[], SettlersAtEvent>();

function settlersAt(event: EventName, policies: readonly ActivePolicy[]): SettlersAtEvent["settlers"] {
  const known = settlerLists.get(policies);
  if (known?.event === event) return known.settlers;
  const settlers = policies.flatMap((active) => {
    const settled = active.policy.settled?.[event] as Settler | undefined;
    return settled ? [{ active, settled }] : [];
  });
  settlerLists.set(policies, { event, settlers });
  return settlers;
}

/** Each policy writes under a savepoint of its own: one that throws loses only its own writes. */
export function settle(input: RecordInput, now: number, effects: Effects): Map<string, string> {
  const { db, world, ref, judgement } = input;
  const { event } = world;
  const errors = new Map<string, string>();
  const settlers = event.malformed.length > 0 ? [] : settlersAt(event.name, judgement.policies);
  if (settlers.length === 0) return errors;
  /** Answers of `when` conditions; forgotten at every write, because a condition may depend on it. */
  const conditions = new Map<When, boolean>();
  // Most policies that could write do not, so the savepoint is made before the first write.
  let hasSavepoint = false;
  const onWrite = (scope?: string): void => {
    if (!hasSavepoint) db.exec("SAVEPOINT policy");
    hasSavepoint = true;
    conditions.clear();
    if (scope !== undefined) effects.written.push(scope);
  };
  const stores = new Map<unknown, never>();
  for (const { active, settled } of settlers) {
    const { id, when, uses } = active.policy;
    if (when && conditions.get(when) === false) continue;
    const { flags, jobs, written, hasExports, endsBoard } = effects;
    const [jobsBefore, writtenBefore] = [jobs.length, written.length];
    try {
      if (uses && !stores.has(uses)) stores.set(uses, openStore(uses, db, ref, onWrite));
      const store = stores.get(uses) as never;
      const context = new PolicySettledContext(input, active, now, onWrite, effects);
      const isMet = when === undefined || (conditions.get(when) ?? when(event, context, store));
      if (when) conditions.set(when, isMet);
      if (!isMet) continue;
      settled(event, judgement.ruling.fates[id] ?? "silent", context, store);
      if (hasSavepoint) db.exec("RELEASE policy");
    } catch (error) {
      if (hasSavepoint) db.exec("ROLLBACK TO policy; RELEASE policy");
      jobs.length = jobsBefore;
      written.length = writtenBefore;
      Object.assign(effects, { flags, hasExports, endsBoard });
      // The stores may remember rows that were undone.
      stores.clear();
      conditions.clear();
      errors.set(id, describe(error));
    }
    hasSavepoint = false;
  }
  return errors;
}

/** What the policies of one event caused outside of their stores. */
export interface Effects {
  flags: SessionFlags;
  jobs: number[];
  /** Scopes in which something was written, maybe several times. */
  readonly written: string[];
  /** Is there a file for others to be written? */
  hasExports: boolean;
  /** Does the swarm on the project's task board end? */
  endsBoard: boolean;
}

type Path = readonly [string, ...string[]];

/** The context of one policy's `settled` handler. */
class PolicySettledContext implements SettledContext {
  readonly options: SettledContext["options"];
  readonly actor: SettledContext["actor"];
  readonly places: SettledContext["places"];
  readonly contextPolicy: SettledContext["contextPolicy"];
  readonly decidedBy: string;
  readonly outcome: SettledContext["outcome"];
  readonly isWaiting: boolean;
  readonly env: SettledContext["env"];
  readonly #input: RecordInput;
  readonly #active: ActivePolicy;
  readonly #now: number;
  readonly #onWrite: (scope?: string) => void;
  readonly #effects: Effects;
  /** A policy in observe mode sends no note, now or later, and does nothing outside of the database. */
  readonly #isObserved: boolean;

  constructor(
    input: RecordInput,
    active: ActivePolicy,
    now: number,
    onWrite: (scope?: string) => void,
    effects: Effects,
  ) {
    const { world, judgement } = input;
    this.options = active.options;
    this.actor = world.actor;
    this.places = world.places;
    this.contextPolicy = world.contextPolicy;
    this.decidedBy = judgement.ruling.policy;
    this.outcome = judgement.ruling.outcome;
    this.isWaiting = input.waits !== undefined && judgement.ruling.wait !== undefined;
    this.env = (name) => world.facts.variable(active.policy, world.env, name);
    this.#input = input;
    this.#active = active;
    this.#now = now;
    this.#onWrite = onWrite;
    this.#effects = effects;
    this.#isObserved = active.mode === "observe";
  }

  get foreign() {
    return foreignFiles(this.#input.world);
  }

  get looked() {
    return recordedReads(this.#input.world);
  }

  now(): number {
    return this.#now;
  }

  info(file: string) {
    return fileInfo(this.#input.world, file);
  }

  read<T>(parts: Path, check: (value: Json) => T | undefined): T | undefined {
    return readMirror(this.#input.world, parts, check);
  }

  said(message: string) {
    const own = this.#input.judgement.results.find((result) => result.id === this.#active.policy.id);
    return own?.verdicts.find((verdict) => verdict.message === message)?.data;
  }

  store<T>(definition: StoreDefinition<T>): T {
    const { db, ref } = this.#input;
    return openStore(definition as never, db, ref);
  }

  later(event: EventName, message: string, data: MessageData = {}): void {
    if (this.#isObserved) return;
    const { db, ref } = this.#input;
    const { id, messages } = this.#active.policy;
    this.#onWrite(sessionScope(ref));
    addNote(db, ref, event, id, fill(messages[message] ?? message, data), this.#now);
  }

  job(name: string, args: Json): void {
    if (!this.#isObserved) this.ownJob(name, args);
  }

  ownJob(name: string, args: Json): void {
    const { db, world } = this.#input;
    this.#onWrite();
    this.#effects.jobs.push(addJob(db, name, args, world.env, this.#now));
  }

  residentJob(name: string, args: Json): void {
    if (this.#input.world.isResident) this.job(name, args);
  }

  mirror(parts: Path, value: Json | undefined): void {
    const text = value === undefined ? undefined : mirrorText(value);
    // A file that a store exports is never read while deciding: the store is, and has a revision of its own.
    const isRead = !this.#active.policy.uses?.sync;
    if (this.#isObserved) {
      this.#onWrite(isRead ? HOME_SCOPE : undefined);
      holdMirror(this.#input.db, pathOf(parts), text);
    } else this.#export(parts, text, isRead);
  }

  mirrorText(parts: Path, text: string | undefined): void {
    if (!this.#isObserved) this.#export(parts, text, true);
  }

  #export(parts: Path, text: string | undefined, isRead: boolean): void {
    this.#onWrite(isRead ? HOME_SCOPE : undefined);
    this.#effects.hasExports = true;
    setMirror(this.#input.db, pathOf(parts), text);
  }

  append(parts: Path, text: string, marker: string): void {
    if (this.#isObserved) return;
    this.#onWrite();
    this.#effects.hasExports = true;
    addAppend(this.#input.db, pathOf(parts), text, marker);
  }

  addLine(parts: Path, key: string, value: Json): boolean {
    if (this.#isObserved) return false;
    this.#onWrite();
    this.#effects.hasExports = true;
    return addLine(this.#input.db, pathOf(parts), key, maskedJson(value as object), this.#now);
  }

  closeRequests(of: ToolCall | "thread" | "session"): void {
    const { db, ref } = this.#input;
    if (!hasOpenRequest(db, ref.session)) return;
    this.#onWrite();
    closeAnswered(db, ref, typeof of === "string" ? { isSession: of === "session" } : { call: keyOfCall(of) });
  }

  endBoard(): void {
    if (!this.#isObserved) this.#effects.endsBoard = true;
  }

  get session() {
    const effects = this.#effects;
    return {
      cancelHolds(): void {
        effects.flags = { ...effects.flags, cancelled: true };
      },
      handOver(isOn: boolean): void {
        const { handingOver: _before, ...others } = effects.flags;
        effects.flags = isOn ? { ...others, handingOver: true } : others;
      },
    };
  }
}
