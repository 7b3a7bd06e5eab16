import path from "node:path";
import { projectRoot } from "../../../core/actor.ts";
import { describe, HookwrightError } from "../../../core/errors.ts";
import { endSwarmInHook } from "../../../domain/board/end-swarm.ts";
import type { ModeFiles } from "../../../domain/mode/files/exports.ts";
import { fileReader } from "../../../domain/mode/files/file-reader.ts";
import { syncModes } from "../../../domain/mode/files/sync.ts";
import type { ModeReader } from "../../../domain/mode/machine.ts";
import { ModeRuns } from "../../../domain/mode/mode-runs.ts";
import { modeRuns } from "../../../domain/mode/store.ts";
import { importInto, outsideReads } from "../../../engine/decide/sync-stores.ts";
import { Database } from "../../../state/database.ts";
import { addAppend, mirrorText, setMirror, writeOpenMirrors } from "../../../state/exported-files.ts";
import { bumpRevision } from "../../../state/sessions.ts";
import { openTable, projectScope } from "../../../state/stores.ts";
import { type CrashPoint, crashPoint } from "../../../system/crash-point.ts";
import type { Home } from "../../../system/home.ts";
import { system } from "../../../system/system.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { openState, openStateOrEmpty } from "../../state/open-state.ts";
import { type KnownSession, knownSessions } from "./known-sessions.ts";
import { forgetCancel, markCancelled } from "./session-flags.ts";

const BUSY_MS = 5_000;

/** What a transaction of a `mode` command works with. */
export interface ModeWork {
  readonly store: ModeRuns;
  readonly files: ModeFiles;
  /** The sessions that hooks have reported of this project. */
  knownSessions(): readonly KnownSession[];
  /** From now on no stop of this session is held, until a person writes in it. */
  markCancelled(session: string): void;
  /** Takes that back. */
  forgetCancel(session: string): void;
}

/** The part of it that changes nothing. */
export type ModeLook = Pick<ModeWork, "store" | "knownSessions">;

/** What every `mode` command works with. */
export interface ModeAccess {
  readonly context: CommandContext;
  readonly home: Home;
  readonly project: string;
  readonly reader: ModeReader;
  readonly now: number;
  /** The session of the agent that runs the command; empty when a person runs it. */
  readonly caller: string;
  /** Reads the runs, after importing what other programs did to their files. */
  read<T>(work: (work: ModeLook) => T): T;
  /** Changes runs in one transaction; their files are exported after it. */
  write<T>(work: (work: ModeWork) => T): T;
}

export function openModeAccess(context: CommandContext, now: number): ModeAccess {
  const { env, cwd } = context;
  const project = projectRoot(cwd, system);
  const home = homeOf(env);
  const scope = projectScope({ agent: "", session: "", agentId: "", project });

  function inTransaction<T>(db: Database, work: (work: ModeWork) => T, atCrashPoint: (point: CrashPoint) => void): T {
    try {
      const done = db.transaction(() => {
        let isChanged = false;
        const table = openTable(db, scope, modeRuns.name, () => {
          isChanged = true;
        });
        const store = new ModeRuns(table);
        const about = { cwd, project, userHome: env.HOME ?? "/", env: (name: string) => env[name] };
        for (const session of new Set(store.all().map((run) => run.session))) {
          const look = outsideReads(db, { ...about, session }, system);
          const endBoard = (): string => endSwarmInHook(project, now, system.uid);
          syncModes(store, look)?.(importInto(db, table, system, endBoard));
        }
        const value = work({
          store,
          files: filesIn(db, project),
          knownSessions: () => knownSessions(db, project, now),
          markCancelled: (session) => markCancelled(db, project, session, now),
          forgetCancel: (session) => forgetCancel(db, project, session),
        });
        if (isChanged) bumpRevision(db, scope);
        atCrashPoint("before-commit");
        return value;
      });
      if (!done) throw new HookwrightError("HW_STATE_BUSY");
      atCrashPoint("after-commit");
      exportFiles(db, context);
      return done.value;
    } finally {
      db.close();
    }
  }

  return {
    context,
    home,
    project,
    reader: fileReader(project, now),
    now,
    caller: env.CLAUDE_CODE_SESSION_ID ?? "",
    read: (work) => inTransaction(openStateOrEmpty(home.database), work, () => undefined),
    write: (work) =>
      inTransaction(openState(home.database) ?? new Database(home.database, BUSY_MS), work, (point) =>
        crashPoint(home.root, point),
      ),
  };
}

function filesIn(db: Database, project: string): ModeFiles {
  return {
    project,
    info: system.info,
    mirror: (parts, value) => setMirror(db, path.join(...parts), value === undefined ? undefined : mirrorText(value)),
    mirrorText: (parts, text) => setMirror(db, path.join(...parts), text),
    append: (parts, text, marker) => addAppend(db, path.join(...parts), text, marker),
  };
}

/** The database is the truth: a file that cannot be written is named, and written again at the next event. */
function exportFiles(db: Database, { err }: CommandContext): void {
  for (const [file, error] of writeOpenMirrors(db, system.uid)) {
    const failed = new HookwrightError("HW_WRITE_FAILED", { file, detail: describe(error) }, error);
    err(`hookwright: ${failed.message}\n  ${failed.fix}  [${failed.code}]`);
  }
}
