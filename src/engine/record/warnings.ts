import fs from "node:fs";
import path from "node:path";
import type { AnyEvent } from "../../core/event.ts";
import type { Frame, Reply } from "../../core/frame.ts";
import type { Ruling } from "../../core/ruling.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import { preparePrivateDirectory } from "../../system/private-directory.ts";
import { runtimeDirOf } from "../../system/runtime-directory.ts";
import type { PreparedEvent } from "../receive/receive.ts";

/** Whom a warning reaches. */
interface Recipient {
  readonly frame: Pick<Frame, "env" | "home">;
  readonly session: string;
  readonly isShown: boolean;
}

/**
 * Returns the sentence, or nothing if it was said before: that nothing can be recorded is said once per session, and
 * once more when the agent shows it to the person after it only went into the agent's log. The database cannot remember
 * that, so empty files in the runtime directory do. An empty sentence means that recording works again, and makes the
 * next failure news; that is checked only at the events whose answer a person reads.
 */
export function saidOnce(sentence: string, uid: number, { frame, session, isShown }: Recipient): string {
  if (sentence === "" && !isShown) return "";
  const directory = runtimeDirOf(frame.env, uid);
  const [logged, shown] = markersOf(path.join(directory, fingerprint(frame.home, session)));
  try {
    if (sentence === "") {
      if (fs.existsSync(logged)) for (const file of [logged, shown]) fs.rmSync(file, { force: true });
      return "";
    }
    preparePrivateDirectory(directory, uid);
    const isNews = !fs.existsSync(isShown ? shown : logged);
    for (const file of isShown ? [logged, shown] : [logged]) fs.writeFileSync(file, "", { mode: 0o600 });
    return isNews ? sentence : "";
  } catch {
    // When no marker can be written, the sentence is said too often rather than never.
    return sentence;
  }
}

/** They exist while the events of a session cannot be recorded; the second one once the person was shown the warning. */
function markersOf(base: string): [logged: string, shown: string] {
  return [`${base}.unrecorded`, `${base}.unrecorded-shown`];
}

/** Does the agent show the answer to the person at this event, instead of only keeping it in its log? */
function isShownToPerson({ name }: AnyEvent): boolean {
  return name === "session.start" || name === "prompt.submit";
}

/** The answer with what went wrong around it. `unrecorded`: why the event could not be recorded; empty when it was. */
export function withWarnings(
  { event, adapter, args }: PreparedEvent,
  frame: Frame,
  uid: number,
  { ruling, reply }: { readonly ruling: Ruling; readonly reply: Reply },
  unrecorded: string,
  problems: readonly string[],
): Reply {
  const isShown = isShownToPerson(event);
  const news = saidOnce(unrecorded, uid, { frame, session: event.session, isShown });
  const text = [news, ...problems].filter((warning) => warning !== "").join(" ");
  if (text === "" || !isShown) return withWarning(reply, text);
  const notices = [...ruling.notices, { policy: "core/recording", text }];
  return withWarning(adapter.encode(event, { ...ruling, notices }, args.reply), text);
}

export function withWarning(reply: Reply, warning: string): Reply {
  return warning === "" ? reply : { ...reply, stderr: `${reply.stderr}${warning}\n` };
}
