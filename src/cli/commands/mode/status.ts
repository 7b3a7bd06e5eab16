import { printable } from "../../../config/printable.ts";
import type { EndedRun, ModeRun } from "../../../domain/mode/mode-run.ts";
import type { ModeAccess } from "./mode-access.ts";
import { endedJson, historyTable, restingTexts, runJson, statusTable } from "./show.ts";
import { runsOfGivenSession, sessionsOf } from "./which-session.ts";

export function showStatus(access: ModeAccess): number {
  const { context, now, reader, project } = access;
  const all = access.read(({ store }) => store.all());
  // Without any run every session has nothing to show, so a name that fits none is no mistake.
  const runs = inOrder(all.length === 0 ? [] : runsOfGivenSession(access, all));
  const shown = { now, reader, columns: context.columns };
  if (context.options.json) context.out(JSON.stringify({ modes: runs.map((run) => runJson(run, shown)) }));
  else if (runs.length === 0) context.out(`No mode is on in ${printable(project, 1_000)}.`);
  else context.out([statusTable(runs, shown), ...restingTexts(withoutChildren(runs), now)].join("\n"));
  return 0;
}

export function showHistory(access: ModeAccess): number {
  const { context, project } = access;
  const all = access.read(({ store }) => store.history());
  const runs = startersFirst(all.length === 0 ? [] : runsOfGivenSession(access, all));
  if (context.options.json) context.out(JSON.stringify({ modes: runs.map(endedJson) }));
  else if (runs.length === 0) context.out(`No mode has ended in ${printable(project, 1_000)} yet.`);
  else context.out(historyTable(runs, context.columns));
  return 0;
}

/** The newest first; of those that ended together, each after the one that had started it. */
function startersFirst(runs: readonly EndedRun[]): readonly EndedRun[] {
  const isTogether = (one: EndedRun, other: EndedRun): boolean =>
    one.endedAt === other.endedAt && one.session === other.session;
  const place = (run: EndedRun): number => runs.findIndex((one) => isTogether(one, run));
  const depth = (run: EndedRun): number => {
    const starter = runs.find((one) => one !== run && one.mode === run.parent && isTogether(one, run));
    return starter ? 1 + depth(starter) : 0;
  };
  return [...runs].sort((a, b) => place(a) - place(b) || depth(a) - depth(b));
}

/** The session with the newest run first; in it each run before those that it started. */
function inOrder(runs: readonly ModeRun[]): readonly ModeRun[] {
  const newestFirst = [...runs].sort((a, b) => b.startedAt - a.startedAt);
  return sessionsOf(newestFirst).flatMap((session) => {
    const own = runs.filter((run) => run.session === session);
    const roots = own.filter((run) => parentOf(run, own) === undefined);
    const ordered = roots.flatMap((run) => withDescendants(run, own));
    return [...ordered, ...own.filter((run) => !ordered.includes(run))];
  });
}

function withDescendants(run: ModeRun, own: readonly ModeRun[]): readonly ModeRun[] {
  const children = own.filter((one) => one !== run && one.parent === run.mode);
  return [run, ...children.flatMap((child) => withDescendants(child, own))];
}

function parentOf(run: ModeRun, own: readonly ModeRun[]): ModeRun | undefined {
  return own.find((one) => one !== run && one.mode === run.parent);
}

/** A run goes on together with the one that started it, so that it needs no sentence of its own. */
function withoutChildren(runs: readonly ModeRun[]): readonly ModeRun[] {
  return runs.filter((run) => {
    const own = runs.filter(({ session }) => session === run.session);
    return parentOf(run, own) === undefined;
  });
}
