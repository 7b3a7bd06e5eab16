import { carriedOut } from "../../core/abilities.ts";
import { arbitrateStop, isIdleAgain, type StopAnswer } from "../../core/arbiter.ts";
import { budgetFor, type ContextBudget, fitSections, type Section } from "../../core/context-budget.ts";
import { type AnyEvent, EVENTS, isStop } from "../../core/event.ts";
import { type ActivePolicy, areAllSilent, type PolicyResult, runPolicies } from "../../core/pipeline.ts";
import { RepeatedTexts, type SentTexts } from "../../core/repeated-texts.ts";
import { merge, PASS, type Ruling } from "../../core/ruling.ts";
import type { Grant } from "../../domain/grants/grants.ts";
import type { Database } from "../../state/database.ts";
import { type PendingNote, pendingNotes } from "../../state/outbox.ts";
import type { Snapshot } from "../../state/sessions.ts";
import { openStore, openTable, type SessionRef, sessionScope } from "../../state/stores.ts";
import { type AskAbout, type PoliciesBefore, withCheckedApprovals } from "./approvals.ts";
import { policyContexts } from "./policy-context.ts";
import { type SnapshotMaker, withSnapshots } from "./snapshots.ts";
import { bypassOf } from "./stop-bypass.ts";
import { type Granted, withGranted } from "./use-grants.ts";
import { personAnswer, type World } from "./world.ts";

/** A decision that is not recorded yet. Making it changes nothing. */
export interface Judgement {
  readonly ruling: Ruling;
  readonly results: readonly PolicyResult[];
  /** The grant of a person that let the call pass. */
  readonly grant?: Grant | undefined;
  readonly policies: readonly ActivePolicy[];
  readonly stop: StopAnswer | undefined;
  readonly delivered: readonly PendingNote[];
  /** Sentences for the person that this session has not been told yet. */
  readonly newProblems: readonly string[];
  /** The texts that this agent was sent lately, with those of this ruling; undefined when they have not changed. */
  readonly sentTexts: SentTexts | undefined;
}

export interface JudgeInput {
  readonly world: World;
  readonly policies: readonly ActivePolicy[];
  readonly policiesBefore: PoliciesBefore;
  /** Problems of the configuration, for the person; each is told once per session. */
  readonly problems: readonly string[];
  readonly contextBudget: ContextBudget;
  readonly db: Database;
  readonly ref: SessionRef;
  readonly snapshot: Snapshot;
  /** Milliseconds the policies may take together. */
  readonly budget: number;
  readonly makeSnapshot: SnapshotMaker;
}

export async function judge(input: JudgeInput): Promise<Judgement> {
  const { world, db, ref, snapshot, policies } = input;
  const { event } = world;
  const askAbout: AskAbout = (asked, those) =>
    runPolicies({
      event: asked,
      policies: those,
      budget: input.budget,
      context: policyContexts(asked === event ? world : { ...world, event: asked }, those, (definition) =>
        openStore(definition as never, db, ref),
      ),
      store: (definition) => openStore(definition, db, ref),
    });
  const said = await askAbout(event, policies);
  // Usually no policy says anything: then there is nothing to snapshot, to grant or to hold.
  const isNothing = areAllSilent(said);
  const { results, grant } = isNothing
    ? { results: said, grant: undefined }
    : await checkedResults(input, said, askAbout);
  const isHeld = !isNothing && results.some((result) => result.verdicts.some((verdict) => verdict.kind === "hold"));
  const bypass = isHeld ? await bypassOf(world, isIdleAgain(snapshot.arbiter, snapshot.toolCalls)) : "";
  let stop: StopAnswer | undefined;
  const repeats = (isNothing && !snapshot.hasNotes) || !isAboutCall(event) ? undefined : repeatsFor(input);
  const arbitrate: Parameters<typeof merge>[2] = (holds, released) => {
    stop = arbitrateStop({ holds, released, bypass, toolCalls: snapshot.toolCalls, state: snapshot.arbiter });
    return stop;
  };
  const mayHold = isStop(event);
  const merged = isNothing && !mayHold ? PASS : merge(event, results, arbitrate, repeats);
  const fitted = withinBudget(input, merged, repeats);
  const { abilities } = world;
  const sent = abilities ? { ...fitted, ruling: carriedOut(fitted.ruling, results, abilities) } : fitted;
  return { ...sent, results, grant, policies, stop: mayHold ? stop : undefined, sentTexts: repeats?.next };
}

/** The results after approvals are checked, snapshots are made and grants are applied, in this order. */
async function checkedResults(
  { world, db, ref, policies, policiesBefore, makeSnapshot }: JudgeInput,
  said: readonly PolicyResult[],
  askAbout: AskAbout,
): Promise<Granted> {
  const isAnswered = (): boolean => personAnswer(world) !== undefined;
  const checked = await withCheckedApprovals(world.event, said, policiesBefore, askAbout, db, ref, isAnswered);
  return withGranted(world, await withSnapshots(world, checked, policies, makeSnapshot), db, ref);
}

/** Only texts about calls are repeated often; at a start or a prompt the context may be a new one. */
function isAboutCall({ name }: AnyEvent): boolean {
  return name === "tool.before" || name === "tool.after" || name === "tool.failed";
}

export const SENT_TEXTS = "given";

function repeatsFor({ world, db, ref }: JudgeInput): RepeatedTexts {
  const now = world.facts.read("now", world.ports.now);
  // A subagent has a context of its own, so it gets texts in full that its parent got already.
  const load = (): SentTexts =>
    (openTable(db, sessionScope(ref), SENT_TEXTS).get(ref.agentId) ?? {}) as unknown as SentTexts;
  return new RepeatedTexts(load, now);
}

/** Notes of the policies first, then notes of the outbox while there is room; the others stay in the outbox. */
function withinBudget(
  input: JudgeInput,
  merged: Ruling,
  repeats: RepeatedTexts | undefined,
): Pick<Judgement, "ruling" | "delivered" | "newProblems"> {
  const { db, ref, world } = input;
  const { name } = world.event;
  const { notes, outcome } = merged;
  if (notes.length === 0 && !input.snapshot.hasNotes && input.problems.length === 0)
    return { ruling: merged, delivered: [], newProblems: [] };
  const legal: readonly string[] = world.abilities?.can ?? EVENTS[name].verdicts;
  const budget = budgetFor(name, input.contextBudget);
  const own = fitSections(briefly(notes, repeats), budget);
  const isOpen = legal.includes("note") && outcome !== "deny";
  const pending = fitSections(
    briefly(isOpen && input.snapshot.hasNotes ? pendingNotes(db, ref, name) : [], repeats),
    own.kept.length > 0 ? own.room - 2 : budget,
  );
  const newProblems = legal.includes("notice") ? untold(input) : [];
  const sent = new Set(own.kept.map((note) => note.policy));
  const fates = { ...merged.fates };
  for (const { policy } of own.left) if (!sent.has(policy) && outcome === "pass") fates[policy] = "dropped";
  const kept = [...own.kept, ...pending.kept];
  for (const { policy, text, whole, words } of kept) if (text === words.text) repeats?.noteSent(policy, whole, words);
  const ruling: Ruling = {
    ...merged,
    fates,
    notes: kept.map(({ whole: _whole, words: _words, ...note }) => note),
    notices: [...merged.notices, ...newProblems.map((text) => ({ policy: "core/config", text }))],
  };
  return { ruling, delivered: pending.kept, newProblems };
}

/** Each note with its whole text and with the words that are sent of it if there is room. */
function briefly<S extends Section>(notes: readonly S[], repeats: RepeatedTexts | undefined) {
  return notes.map((note) => {
    const words = repeats?.note(note.policy, note.text) ?? { text: note.text, isBrief: false };
    return { ...note, text: words.text, whole: note.text, words };
  });
}

export const TOLD_PROBLEMS = "told";

function untold({ problems, db, ref }: JudgeInput): string[] {
  if (problems.length === 0) return [];
  const told = openTable(db, sessionScope(ref), TOLD_PROBLEMS);
  return problems.filter((problem) => told.get(problem) !== true);
}
