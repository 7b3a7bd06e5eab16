import path from "node:path";
import { projectRoot } from "../../../core/actor.ts";
import { HookwrightError } from "../../../core/errors.ts";
import type { Json } from "../../../core/event.ts";
import { DELIVERY_ENV } from "../../../domain/session/handover/restart.ts";
import {
  type FoundSession,
  type Identity,
  identityOf,
  Sessions,
  saveSession,
  sessionStateFile,
} from "../../../domain/session/sessions.ts";
import { SESSIONS_FOLDER, type SessionState } from "../../../domain/session/state.ts";
import { sessions } from "../../../domain/session/store.ts";
import { importStateFile, syncSessions } from "../../../domain/session/sync.ts";
import { importInto, outsideReads } from "../../../engine/decide/sync-stores.ts";
import { Database } from "../../../state/database.ts";
import { mirrorText, setMirror, writeOpenMirrors } from "../../../state/exported-files.ts";
import { addJob } from "../../../state/jobs.ts";
import { bumpRevision } from "../../../state/sessions.ts";
import { openTable, projectScope } from "../../../state/stores.ts";
import { type CrashPoint, crashPoint } from "../../../system/crash-point.ts";
import { system } from "../../../system/system.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { type Input, readInput } from "../../terminal/standard-input.ts";

const BUSY_MS = 5_000;
const INPUT_MS = 5_000;
const MOST_INPUT = 4 * 1024 * 1024;

/** What every `session` command works with: the project's sessions, and the identity of the caller. */
export interface SessionAccess {
  readonly context: CommandContext;
  readonly project: string;
  readonly who: Identity;
  readonly now: number;
  /** Reads the sessions, after importing changes of other programs. */
  read<T>(work: (store: Sessions) => T): T;
  /** Changes sessions in one transaction; their files are exported after it. */
  write<T>(work: (store: Sessions, save: (dir: string, state: SessionState) => void, also: ExtraWrites) => T): T;
  /** The session folder for the typed name; throws when it is not valid. */
  folder(typed: string | undefined): string;
  /** The session in the named folder; without a name, the caller's own session. */
  session(typed: string | undefined): FoundSession;
  input(): Promise<string>;
}

/** Further writes in the same transaction. */
export interface ExtraWrites {
  /** A document in the session's folder. */
  document(file: string, text: string): void;
  /** Adds a job; returns its id. */
  job(name: string, args: Json): number;
}

/** The environment variables that jobs get. */
const JOB_ENV = ["PATH", "HOME", "XDG_RUNTIME_DIR", "TMPDIR", ...DELIVERY_ENV];

export function openSessionAccess(context: CommandContext, input: Input): SessionAccess {
  const { env, cwd } = context;
  const project = projectRoot(cwd, system);
  const home = homeOf(env);
  const session = env.CLAUDE_CODE_SESSION_ID ?? "";
  const given = identityOf(session, (name) => env[name]);
  // A person's own shell has no session and no supervisor: then the shell's pid identifies the caller.
  const who = { ...given, pid: given.pid ?? (session === "" ? process.ppid : undefined) };
  const scope = projectScope({ agent: "", session: "", agentId: "", project });
  const about = { session, cwd, project, userHome: env.HOME ?? "/", env: (name: string) => env[name] };

  function inTransaction<T>(work: (db: Database, store: Sessions) => T, atCrashPoint: (point: CrashPoint) => void): T {
    const db = new Database(home.database, BUSY_MS);
    try {
      const look = outsideReads(db, about, system);
      const done = db.transaction(() => {
        let isChanged = false;
        const table = openTable(db, scope, sessions.name, () => {
          isChanged = true;
        });
        const store = new Sessions(table);
        const to = importInto(db, table, system, () => "");
        for (const dir of store.dirs())
          for (const one of importStateFile(store, look, sessionStateFile(dir))) one(store, to);
        syncSessions(store, look)?.(to);
        const value = work(db, store);
        if (isChanged) bumpRevision(db, scope);
        atCrashPoint("before-commit");
        return value;
      });
      if (!done) throw new HookwrightError("HW_WRITE_FAILED", { file: home.database, detail: "it stayed locked" });
      atCrashPoint("after-commit");
      for (const [file, error] of writeOpenMirrors(db, system.uid)) {
        throw new HookwrightError("HW_WRITE_FAILED", { file, detail: String(error) }, error);
      }
      return done.value;
    } finally {
      db.close();
    }
  }

  function folder(typed: string | undefined): string {
    const roots = [...new Set([cwd, project])];
    const bases = roots.map((root) => path.join(root, SESSIONS_FOLDER));
    const wanted = typed ?? "";
    const candidates = wanted.includes("/")
      ? [path.resolve(cwd, wanted), path.resolve(project, wanted)]
      : bases.map((base) => path.join(base, wanted));
    const dir = candidates.find((one) => bases.includes(path.dirname(one)) && isName(path.basename(one)));
    if (wanted === "" || dir === undefined || !bases.includes(system.realPath(path.dirname(dir)))) {
      throw new HookwrightError("HW_SESSION_FOLDER", { name: wanted, folder: bases[0] ?? SESSIONS_FOLDER });
    }
    return dir;
  }

  return {
    context,
    project,
    who,
    now: Date.now(),
    read: (work) => inTransaction((_db, store) => work(store), noCrashPoint),
    write: (work) =>
      inTransaction(
        (db, store) => {
          const mirror = (parts: readonly string[], value: Json | undefined): void =>
            setMirror(db, path.join(...parts), value === undefined ? undefined : mirrorText(value));
          const known = JOB_ENV.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
          const also: ExtraWrites = {
            document: (file, text) => setMirror(db, file, text),
            job: (name, args) => addJob(db, name, args, Object.fromEntries(known), Date.now()),
          };
          return work(store, (dir, state) => saveSession(store, { mirror }, dir, state), also);
        },
        (point) => crashPoint(home.root, point),
      ),
    folder,
    session(typed) {
      const dir = typed === undefined ? undefined : folder(typed);
      return inTransaction((_db, store) => {
        const found = dir === undefined ? store.find(who) : foundIn(store, dir);
        if (!found) throw new HookwrightError("HW_SESSION_UNKNOWN", { dir: dir ?? "your name" });
        return found;
      }, noCrashPoint);
    },
    input: async () => (await readInput(input, MOST_INPUT, INPUT_MS)).toString("utf8"),
  };
}

/** Reads have no crash points. */
const noCrashPoint = (): void => undefined;

/** Not `sessions` itself, which people type when they forget the session's name. */
function isName(name: string): boolean {
  return /^\w[\w.-]{0,127}$/.test(name) && name !== SESSIONS_FOLDER;
}

function foundIn(store: Sessions, dir: string): FoundSession | undefined {
  const state = store.get(dir);
  return state && { dir, state };
}
