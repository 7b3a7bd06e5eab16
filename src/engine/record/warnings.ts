import fs from "node:fs";
import path from "node:path";
import type { AnyEvent } from "../../core/event.ts";
import type { Frame, Reply } from "../../core/frame.ts";
import type { Ruling } from "../../core/ruling.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import { preparePrivateDirectory } from "../../system/private-directory.ts";
import { runtimeDirOf } from "../../system/runtime-directory.ts";
import type { Prepared } from "../receive/prepare.ts";

/** Who is told, by what. */
interface Listener {
  readonly frame: Pick<Frame, "env" | "home">;
  readonly session: string;
  readonly isShown: boolean;
}

/**
 * That nothing can be recorded is said once per session and not at every event, and once more for the person if it only
 * went into the agent's log before. Where nothing can be recorded, that can not be either: empty files in the runtime
 * directory tell it, which lies elsewhere than the home. No sentence means that all is well again, so that the next
 * time is news; that is looked at where the person is about to read something, and not at every call.
 */
export function onceTold(sentence: string, uid: number, { frame, session, isShown }: Listener): string {
  if (sentence === "" && !isShown) return "";
  const directory = runtimeDirOf(frame.env, uid);
  const [logged, shown] = stampsOf(path.join(directory, fingerprint(frame.home, session)));
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
    // Where it cannot be remembered, too often is better than never.
    return sentence;
  }
}

/** Left while the events of a session cannot be recorded; the second once the person has seen it said. */
function stampsOf(base: string): [logged: string, shown: string] {
  return [`${base}.unrecorded`, `${base}.unrecorded-shown`];
}

/** What an agent shows to the person, at these events, and what it only keeps in its log, at others. */
export function isShownToPerson({ name }: AnyEvent): boolean {
  return name === "session.start" || name === "prompt.submit";
}

type PreparedEvent = Extract<Prepared, { kind: "event" }>;

/** The answer with what went wrong around it. */
export function withWarnings(
  { event, adapter, args }: PreparedEvent,
  ruling: Ruling,
  reply: Reply,
  warnings: readonly string[],
): Reply {
  if (warnings.every((warning) => warning === "")) return reply;
  const text = warnings.filter((warning) => warning !== "").join(" ");
  if (!isShownToPerson(event)) return withWarning(reply, text);
  const notices = [...ruling.notices, { policy: "core/recording", text }];
  return withWarning(adapter.encode(event, { ...ruling, notices }, args.reply), text);
}

export function withWarning(reply: Reply, warning: string): Reply {
  return warning === "" ? reply : { ...reply, stderr: `${reply.stderr}${warning}\n` };
}
