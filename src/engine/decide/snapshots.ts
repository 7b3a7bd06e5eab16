import { describe } from "../../core/errors.ts";
import type { AnyEvent } from "../../core/event.ts";
import { type ActivePolicy, failureVerdict, type PolicyResult } from "../../core/pipeline.ts";
import type { AskVerdict, SnapshotRequest, Verdict } from "../../core/verdict.ts";
import { verdictBuilders } from "../../core/verdict-builders.ts";
import { isRecreatable } from "../../domain/loss/harmless.ts";
import type { UndoSnapshot } from "../../domain/undo/manifest.ts";
import { crashPoint } from "../../system/crash-point.ts";
import type { Home } from "../../system/home.ts";
import { sha256 } from "../config/trust.ts";
import type { World } from "./world.ts";

type Kept = Pick<UndoSnapshot, "id" | "files" | "bytes" | "store">;
type Attempt = { readonly kept: Kept } | { readonly failed: string };

/** Makes a snapshot of what a call would lose. */
export type SnapshotMaker = (request: SnapshotRequest, what: string, world: World) => Promise<Attempt>;

/** For policies in observe mode and for tests: answers as if a snapshot had been made, and reads nothing. */
export const PREVIEW_SNAPSHOT: SnapshotMaker = async () => ({ kept: { id: "ID", files: 0, bytes: 0, store: "copy" } });

/**
 * The same call has the same snapshot, whichever process answers it and however often. A trial finds out whether there
 * could be one, and makes none.
 */
export function snapshotMaker(home: Home, key: string, remaining: () => number, isTrial = false): SnapshotMaker {
  return (request, what, world) =>
    world.facts.readLater("snapshot", async () => {
      const { cwd } = world.event;
      const folderContext = { ...world.places, cwd, project: world.actor.project, folders: request.folders };
      try {
        const { takeUndoSnapshot } = await import("../../domain/undo/take-snapshot.ts");
        const { id, files, bytes, store } = await takeUndoSnapshot({
          ...request,
          what,
          isTrial,
          id: sha256(Buffer.from(key)).slice(0, 10),
          folder: home.undo,
          maxMs: Math.min(request.maxMs, remaining()),
          env: world.env,
          now: world.ports.now(),
          isMadeAgain: (relative) => isRecreatable(relative, folderContext),
          reached: (point) => crashPoint(home.root, point),
        });
        return { kept: { id: isTrial ? "ID" : id, files, bytes, store } };
      } catch (error) {
        return { failed: describe(error) };
      }
    });
}

/**
 * Turns each question that a snapshot answers into a note, once the snapshot is there. It is made after every policy
 * has spoken, because a call that is not made loses nothing, and before the answer is written down, because what was
 * written down must be true. Whatever goes wrong, the question stays.
 */
export async function withSnapshots(
  world: World,
  results: readonly PolicyResult[],
  policies: readonly ActivePolicy[],
  makeSnapshot: SnapshotMaker,
): Promise<readonly PolicyResult[]> {
  if (!results.some(({ verdicts }) => verdicts.some(needsSnapshot))) return results;
  const isStopped = results.some((result) => result.mode === "enforce" && stops(result, world.event));
  return Promise.all(
    results.map(async (result) => {
      const messages = policies.find(({ policy }) => policy.id === result.id)?.policy.messages ?? {};
      const isReal = result.mode === "enforce";
      if (isReal && isStopped) return result;
      const verdicts = result.verdicts.map((one) =>
        needsSnapshot(one) ? answerWithSnapshot(one, isReal ? makeSnapshot : PREVIEW_SNAPSHOT, messages, world) : one,
      );
      return { ...result, verdicts: await Promise.all(verdicts) };
    }),
  );
}

type SnapshotQuestion = AskVerdict & { readonly unlessKept: SnapshotRequest };

function needsSnapshot(verdict: Verdict): verdict is SnapshotQuestion {
  return verdict.kind === "ask" && verdict.unlessKept !== undefined;
}

function stops(result: PolicyResult, event: AnyEvent): boolean {
  const said = failureVerdict(result, event);
  const verdicts = said ? [said] : result.verdicts;
  return verdicts.some(
    (one) => one.kind === "deny" || one.kind === "end" || (one.kind === "ask" && !needsSnapshot(one)),
  );
}

async function answerWithSnapshot(
  verdict: SnapshotQuestion,
  makeSnapshot: SnapshotMaker,
  messages: Readonly<Record<string, string>>,
  world: World,
): Promise<Verdict> {
  const { unlessKept, ...question } = verdict;
  const attempt = await makeSnapshot(unlessKept, String(verdict.data.what ?? verdict.text), world);
  if ("failed" in attempt) {
    return { ...question, text: `${question.text} No snapshot could be made of it: ${attempt.failed}.` };
  }
  const { id, files, bytes, store } = attempt.kept;
  const named = `${files} ${files === 1 ? "file" : "files"} (${sizeOf(bytes)})`;
  const kept = store === "git" ? `${named}, the index and every branch and stash` : named;
  return verdictBuilders(messages).note(unlessKept.message, { ...verdict.data, kept, id });
}

function sizeOf(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
