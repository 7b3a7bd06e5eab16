import { isCallEvent } from "../../agents/declaration.ts";
import { projectRoot } from "../../core/actor.ts";
import { HookwrightError } from "../../core/errors.ts";
import type { Frame, Reply } from "../../core/frame.ts";
import type { Ports } from "../../core/ports.ts";
import type { JournalEntry } from "../../state/journal.ts";
import type { ConfigCache } from "../config/config-cache.ts";
import { PASS_REPLY, type Prepared } from "./receive.ts";

type OtherInput = Extract<Prepared, { kind: "other" }>;

export interface OtherAnswer {
  readonly reply: Reply;
  readonly entry: JournalEntry;
}

/** An unknown event passes. Input that is no event passes too, unless it was registered for a guarded event. */
export async function answerOther(
  { decoded, args, adapter }: OtherInput,
  frame: Frame,
  config: ConfigCache,
  ports: Ports,
): Promise<OtherAnswer> {
  if (decoded.kind === "unknown") {
    const { agentEvent, session, cwd } = decoded;
    return record(PASS_REPLY, { event: "unknown", agentEvent, session, project: projectRoot(cwd, ports), reason: "" });
  }
  const error = new HookwrightError("HW_STDIN_UNREADABLE", { detail: decoded.detail });
  const text = `${error.message} ${error.fix}`;
  const profiles = args.profiles ?? (await config.load(frame.cwd, projectRoot(frame.cwd, ports))).profiles;
  const isGuarded = isCallEvent(adapter.declaration, args.event) && profiles.includes("safety");
  const reply = isGuarded
    ? adapter.denyUnreadable(args.event, text, args.reply)
    : { ...PASS_REPLY, stderr: `${text}\n` };
  const project = projectRoot(frame.cwd, ports);
  return record(reply, { event: "unreadable", agentEvent: args.event, session: "", project, reason: decoded.detail });

  function record(
    answer: Reply,
    about: Pick<JournalEntry, "event" | "agentEvent" | "session" | "project" | "reason">,
  ): OtherAnswer {
    const entry: JournalEntry = {
      ...about,
      at: ports.now(),
      agent: args.agent,
      agentId: "",
      tool: "",
      toolUseId: "",
      ruling: answer.stdout === "" ? "pass" : "deny",
      policy: "",
      microseconds: 0,
      body: "{}",
      verdicts: "[]",
      facts: "{}",
      reply: answer,
    };
    return { reply: answer, entry };
  }
}
