import path from "node:path";
import { isObject } from "../../core/event.ts";
import type { Import, OutsideReads } from "../../core/store.ts";
import { mirrorText } from "../../state/exported-files.ts";
import { asideName } from "../../system/set-aside.ts";
import { importRules } from "./rules/rule-files.ts";
import { type FoundSession, identityOf, Sessions, sessionStateFile } from "./sessions.ts";
import { parseSessionState, pidOf, SESSION_STATE_FILE, SESSIONS_FOLDER, textIn, withFields } from "./state.ts";

/** State files that cannot be read, with the reason; the gate names them. */
const BROKEN = "broken";
const REPAIRED = "repaired";

type Work = (store: Sessions, to: Import) => void;

/**
 * Imports changes that other programs made to the state files, and binds an unknown agent to its session: one that got a
 * new session id by `/clear`, or whose state another program wrote.
 */
export function syncSessions(store: Sessions, look: OutsideReads): ((to: Import) => void) | undefined {
  const who = identityOf(look.session, look.env);
  const bound = store.find(who);
  const works = [
    ...(bound ? importStateFile(store, look, sessionStateFile(bound.dir)) : unknownFiles(store, look)),
    ...importRules(store, look),
  ];
  const joins = bound && textIn(bound.state, "sessionId") === look.session ? undefined : bindAgent(store, look, bound);
  if (works.length === 0 && !joins) return undefined;
  return (to) => {
    const writable = new Sessions(to.table);
    for (const work of works) work(writable, to);
    // The agent may belong to a session that was just imported.
    bindAgent(writable, look, writable.find(who))?.(writable, to);
  };
}

/** Binds the agent to the session found by its process, or by its pane unless another living process owns that session. */
function bindAgent(store: Sessions, look: OutsideReads, bound: FoundSession | undefined): Work | undefined {
  if (look.session === "") return undefined;
  const who = identityOf(look.session, look.env);
  const found = bound ?? ofPane(store, look, who.pane, who.pid);
  if (!found || textIn(found.state, "sessionId") === look.session) return undefined;
  const pid = who.pid ?? pidOf(found.state);
  const state = withFields(found.state, { sessionId: look.session, ...(pid === undefined ? {} : { pid }) });
  return (to, { write }) => {
    to.save(found.dir, state);
    write(sessionStateFile(found.dir), mirrorText(state));
  };
}

function ofPane(store: Sessions, look: OutsideReads, pane: string, pid: number | undefined): FoundSession | undefined {
  const found = store.ofPane(pane);
  const owner = found && pidOf(found.state);
  return owner !== undefined && owner !== pid && look.isAlive(owner) ? undefined : found;
}

/** Imports all state files in the session folders of this project. */
function unknownFiles(store: Sessions, look: OutsideReads): Work[] {
  const folders = new Set([look.project, look.cwd].map((folder) => path.join(folder, SESSIONS_FOLDER)));
  return [...folders].flatMap((folder) =>
    (look.list(folder) ?? []).flatMap((name) =>
      importStateFile(store, look, path.join(folder, name, SESSION_STATE_FILE)),
    ),
  );
}

/** Imports one state file if another program changed it since we last wrote or read it. */
export function importStateFile(store: Sessions, look: OutsideReads, file: string): Work[] {
  const fate = look.fate(file);
  if (fate.kind === "same") return [];
  const dir = path.dirname(file);
  const before = store.get(dir);
  const state = fate.kind === "gone" ? "gone" : parseSessionState(fate.text);
  return [
    (to, { adopt, write }) => {
      if (fate.kind === "gone") {
        to.remove(dir);
        adopt(file);
      } else if (typeof state !== "string") {
        to.save(dir, state);
        adopt(file);
        clearBroken(to, file);
      } else if (before) {
        // The stored state stays authoritative: the broken file is moved aside and written again.
        const aside = asideName(file, look.now());
        to.setOther(REPAIRED, { file, problem: state, aside });
        write(aside, fate.text);
        write(file, mirrorText(before));
      } else {
        to.setOther(BROKEN, { ...brokenFiles(to), [file]: state });
        adopt(file);
      }
    },
  ];
}

function clearBroken(store: Sessions, file: string): void {
  const { [file]: broken, ...others } = brokenFiles(store);
  if (broken !== undefined) store.setOther(BROKEN, others);
}

/** The last state file that had to be repaired, if any. */
export function repairedFile(store: Sessions): { file: string; problem: string; aside: string } | undefined {
  const value = store.other(REPAIRED);
  if (!isObject(value)) return undefined;
  return { file: textIn(value, "file"), problem: textIn(value, "problem"), aside: textIn(value, "aside") };
}

export function brokenFiles(store: Sessions): Readonly<Record<string, string>> {
  const value = store.other(BROKEN);
  return isObject(value) ? (value as Record<string, string>) : {};
}
