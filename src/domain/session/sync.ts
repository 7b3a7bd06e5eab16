import path from "node:path";
import { isObject } from "../../core/event.ts";
import type { Import, Outlook } from "../../core/store.ts";
import { mirrorText } from "../../state/exported-files.ts";
import { asideName } from "../../system/set-aside.ts";
import { type Found, identityOf, Sessions, stateFile } from "./records.ts";
import { rulesWork } from "./rules/files.ts";
import { changed, pidOf, readState, SESSIONS_FOLDER, STATE_FILE, textIn } from "./state.ts";

/** What cannot be read, by file; the gate names it. */
const BROKEN = "broken";
const REPAIRED = "repaired";

type Work = (store: Sessions, to: Import) => void;

/**
 * Takes over what others did to the sessions' files, and finds the session of an agent that is not known yet: one that
 * begins anew after `/clear`, or whose state another program wrote.
 */
export function syncSessions(store: Sessions, look: Outlook): ((to: Import) => void) | undefined {
  const who = identityOf(look.session, look.env);
  const bound = store.find(who);
  const works = [
    ...(bound ? importOf(store, look, stateFile(bound.dir)) : unknownFiles(store, look)),
    ...rulesWork(store, look),
  ];
  const joins = bound && textIn(bound.state, "sessionId") === look.session ? undefined : joinOf(store, look, bound);
  if (works.length === 0 && !joins) return undefined;
  return (to) => {
    const writable = new Sessions(to.table);
    for (const work of works) work(writable, to);
    // What was just read may be what this agent belongs to.
    joinOf(writable, look, writable.find(who))?.(writable, to);
  };
}

/** Somebody's session, but not under this agent's id yet: by its process, or by its pane unless another lives there. */
function joinOf(store: Sessions, look: Outlook, bound: Found | undefined): Work | undefined {
  if (look.session === "") return undefined;
  const who = identityOf(look.session, look.env);
  const found = bound ?? ofPane(store, look, who.pane, who.pid);
  if (!found || textIn(found.state, "sessionId") === look.session) return undefined;
  const pid = who.pid ?? pidOf(found.state);
  const state = changed(found.state, { sessionId: look.session, ...(pid === undefined ? {} : { pid }) });
  return (to, { write }) => {
    to.save(found.dir, state);
    write(stateFile(found.dir), mirrorText(state));
  };
}

function ofPane(store: Sessions, look: Outlook, pane: string, pid: number | undefined): Found | undefined {
  const found = store.ofPane(pane);
  const owner = found && pidOf(found.state);
  return owner !== undefined && owner !== pid && look.isAlive(owner) ? undefined : found;
}

/** All state files below the places where sessions of this project lie. */
function unknownFiles(store: Sessions, look: Outlook): Work[] {
  const folders = new Set([look.project, look.cwd].map((folder) => path.join(folder, SESSIONS_FOLDER)));
  return [...folders].flatMap((folder) =>
    (look.list(folder) ?? []).flatMap((name) => importOf(store, look, path.join(folder, name, STATE_FILE))),
  );
}

/** What others did to one state file since we last wrote or read it. */
export function importOf(store: Sessions, look: Outlook, file: string): Work[] {
  const fate = look.fate(file);
  if (fate.kind === "same") return [];
  const dir = path.dirname(file);
  const before = store.get(dir);
  const state = fate.kind === "gone" ? "gone" : readState(fate.text);
  return [
    (to, { adopt, write }) => {
      if (fate.kind === "gone") {
        to.remove(dir);
        adopt(file);
      } else if (typeof state !== "string") {
        to.save(dir, state);
        adopt(file);
        mend(to, file);
      } else if (before) {
        // What was known stays the truth: the file is kept aside and written anew.
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

function mend(store: Sessions, file: string): void {
  const { [file]: broken, ...others } = brokenFiles(store);
  if (broken !== undefined) store.setOther(BROKEN, others);
}

/** The last state file that had to be written anew, if any. */
export function repairedFile(store: Sessions): { file: string; problem: string; aside: string } | undefined {
  const value = store.other(REPAIRED);
  if (!isObject(value)) return undefined;
  return { file: textIn(value, "file"), problem: textIn(value, "problem"), aside: textIn(value, "aside") };
}

export function brokenFiles(store: Sessions): Readonly<Record<string, string>> {
  const value = store.other(BROKEN);
  return isObject(value) ? (value as Record<string, string>) : {};
}
