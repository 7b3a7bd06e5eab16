import path from "node:path";
import type { Json } from "../../../core/event.ts";
import { isObject } from "../../../core/event.ts";
import type { Import, OutsideReads } from "../../../core/store.ts";
import { mirrorText } from "../../../state/exported-files.ts";
import { asideName } from "../../../system/set-aside.ts";
import { cancelRuns, withChildren } from "../cancel.ts";
import type { ModeRun } from "../mode-run.ts";
import { ModeRuns } from "../mode-runs.ts";
import { exportedRun, type ModeFiles, projectFile, sessionFile } from "./exports.ts";

type Work = (store: ModeRuns, to: Import) => void;

/**
 * Imports what people and other programs did to the state files of this session's runs: a removed file, or one with
 * `active: false`, cancels the run; one without `session_id` holds nobody; one that cannot be read is moved aside and
 * written again from the stored state.
 */
export function syncModes(store: ModeRuns, look: OutsideReads): ((to: Import) => void) | undefined {
  const works = store.of(look.session).flatMap((run) => importFiles(store, run, look));
  if (works.length === 0) return undefined;
  return (to) => {
    const writable = new ModeRuns(to.table);
    for (const work of works) work(writable, to);
  };
}

function importFiles(store: ModeRuns, run: ModeRun, look: OutsideReads): Work[] {
  const own = sessionFile(look.project, run.session, run.mode);
  const files = own === undefined ? [] : [own];
  if (store.owner(run.mode) === run.session) files.push(projectFile(look.project, run.mode));
  return files.flatMap((file) => {
    const fate = look.fate(file);
    if (fate.kind === "same") return [];
    if (fate.kind === "gone") return [cancelled(run, look, `${file} was removed`)];
    const value = parsed(fate.text);
    if (!isObject(value)) return [repaired(run, file, fate.text, look)];
    if (value.active === false && isGoingOn(run)) {
      return [cancelled(run, look, `${file} says that it is not active`)];
    }
    if (typeof value.session_id !== "string" || value.session_id === "") return [detached(run, file)];
    return [(_store: ModeRuns, to: Import) => to.adopt(file)];
  });
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The file of a run that rests says `active: false` itself. */
function isGoingOn({ status }: ModeRun): boolean {
  return status === "active" || status === "waiting";
}

function cancelled(run: ModeRun, look: OutsideReads, why: string): Work {
  return (store, to) => {
    if (!store.get(run.session, run.mode)) return;
    const problems: string[] = [];
    const effects = { ...importedFiles(look, to), endBoard: () => void problems.push(to.endBoard()) };
    cancelRuns(store, effects, withChildren(run, store.of(run.session)), look.now());
    const told = [`${run.mode} was cancelled: ${why}.`, ...problems].filter((text) => text !== "");
    store.setUntold(run.session, [...store.untold(run.session), ...told]);
  };
}

/** What an import can write. A run that ends needs no more. */
function importedFiles(look: OutsideReads, to: Import): ModeFiles {
  const write = (parts: readonly [string, ...string[]], text: string): void => to.write(path.join(...parts), text);
  return {
    project: look.project,
    info: look.info,
    mirror: (parts, value) => (value === undefined ? to.remove(path.join(...parts)) : write(parts, mirrorText(value))),
    mirrorText: write,
    append: () => undefined,
  };
}

function detached(run: ModeRun, file: string): Work {
  return (store, to) => {
    to.adopt(file);
    const current = store.get(run.session, run.mode);
    if (current) store.save({ ...current, status: "detached", why: `${path.basename(file)} names no session` });
  };
}

function repaired(run: ModeRun, file: string, text: string, look: OutsideReads): Work {
  return (store, to) => {
    const aside = asideName(file, look.now());
    to.write(aside, text);
    to.write(file, mirrorText(exportedRun(run, look.project)));
    const sentence = `${file} could not be read. It was moved to ${aside}, and written again from the recorded state.`;
    store.setUntold(run.session, [...store.untold(run.session), sentence]);
  };
}
