import { countsCalls } from "../core/event.ts";
import type { Frame, Reply } from "../core/frame.ts";
import { takeSnapshot } from "../state/sessions.ts";
import { type DecisionSources, prepareDecision } from "./decide/decision.ts";
import type { Judgement } from "./decide/judge.ts";
import { snapshotMaker } from "./decide/snapshots.ts";
import { answerOther } from "./receive/other-input.ts";
import { keyOf, PASS_REPLY, type Prepared, receive } from "./receive/receive.ts";
import type { StateFile } from "./record/state-file.ts";

/** The decision about an event that is not recorded. */
export interface Examination {
  readonly prepared: Prepared;
  /** The kill switch that lets everything pass, whatever the policies say; else empty. */
  readonly switchedOff: string;
  readonly reply: Reply;
  readonly judgement: Judgement | undefined;
  readonly facts: Readonly<Record<string, unknown>>;
}

export async function examineFrame(
  received: Frame,
  sources: DecisionSources,
  state: StateFile,
  userHome: string,
): Promise<Examination> {
  const { home, ports, config } = sources;
  const { frame, notice, switchedOff, prepared } = receive(received, home.root, ports, userHome);
  const unlessOff = (reply: Reply): Reply => (switchedOff === "" ? reply : PASS_REPLY);
  const nothing = { prepared, switchedOff, judgement: undefined, facts: {} };
  if (prepared.kind === "answered") return { ...nothing, reply: unlessOff(prepared.reply) };
  if (prepared.kind === "other") {
    return { ...nothing, reply: unlessOff((await answerOther(prepared, frame, config, ports)).reply) };
  }
  const { db } = state.open(frame.deadline);
  const decision = await prepareDecision(sources, prepared, frame, db, notice);
  const makeSnapshot = snapshotMaker(home, keyOf(prepared.event, frame, prepared.args), decision.remaining, true);
  const decided = await decision.decideOn(takeSnapshot(db, decision.ref, countsCalls(prepared.event)), makeSnapshot);
  const facts = decision.facts.toJSON();
  return { ...nothing, judgement: decided.judgement, reply: unlessOff(decided.reply), facts };
}
