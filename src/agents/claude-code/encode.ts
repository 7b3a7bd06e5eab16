import type { AnyEvent } from "../../core/event.ts";
import type { Reply } from "../../core/frame.ts";
import type { Ruling } from "../../core/ruling.ts";
import type { ClaudeEvent } from "./events.ts";

type Form = "exit" | "json";

interface ContextOut {
  additionalContext?: string;
}
interface PermissionOut {
  permissionDecision?: "deny" | "ask";
  permissionDecisionReason?: string;
}
interface AnswerOut {
  action?: unknown;
  content?: unknown;
}

/** The fields of `hookSpecificOutput` for each event; an event that is not listed has no such part. */
interface SpecificFields {
  PreToolUse: PermissionOut & ContextOut & { updatedInput?: unknown };
  PostToolUse: ContextOut & { updatedToolOutput?: unknown };
  PostToolUseFailure: ContextOut;
  PostToolBatch: ContextOut;
  UserPromptSubmit: ContextOut;
  UserPromptExpansion: ContextOut;
  SessionStart: ContextOut & { watchPaths?: readonly string[] };
  Stop: ContextOut;
  SubagentStart: ContextOut;
  SubagentStop: ContextOut;
  PreModelSwitch: PermissionOut;
  PostModelSwitch: ContextOut;
  PermissionRequest: { decision?: { behavior: "allow" } | { behavior: "deny"; message: string } };
  PermissionDenied: { retry?: true };
  Elicitation: AnswerOut;
  ElicitationResult: AnswerOut;
  CwdChanged: { watchPaths?: readonly string[] };
  FileChanged: { watchPaths?: readonly string[] };
  MessageDisplay: { displayContent?: unknown };
}

interface Output<E extends ClaudeEvent> {
  continue?: false;
  stopReason?: string;
  decision?: "block";
  reason?: string;
  systemMessage?: string;
  terminalSequence?: string;
  hookSpecificOutput?: E extends keyof SpecificFields ? SpecificFields[E] & { hookEventName: E } : never;
}

type Encoder<E extends ClaudeEvent> = (ruling: Ruling) => Output<E>;

/** The only place that writes `hookEventName`: the name comes from the same type as the fields beside it. */
function specific<E extends ClaudeEvent & keyof SpecificFields>(event: E, fields: SpecificFields[E]) {
  if (Object.keys(fields).length === 0) return {};
  return { hookSpecificOutput: { hookEventName: event, ...fields } } as Pick<Output<E>, "hookSpecificOutput">;
}

const context = (ruling: Ruling): ContextOut =>
  ruling.notes.length > 0 ? { additionalContext: ruling.notes.map((note) => note.text).join("\n\n") } : {};
const block = (ruling: Ruling): { decision?: "block"; reason?: string } =>
  isBlock(ruling) ? { decision: "block", reason: ruling.reason } : {};
const permission = (ruling: Ruling): PermissionOut =>
  ruling.outcome === "deny" || ruling.outcome === "ask"
    ? { permissionDecision: ruling.outcome, permissionDecisionReason: ruling.reason }
    : {};
const watch = (ruling: Ruling): { watchPaths?: readonly string[] } =>
  ruling.watch.length > 0 ? { watchPaths: ruling.watch } : {};
const answer = ({ rewrite }: Ruling): AnswerOut =>
  typeof rewrite?.value === "object" && rewrite.value !== null ? { ...(rewrite.value as AnswerOut) } : {};
/** Context on a stop continues the turn as a block does, but without an error: the form of a soft hold. */
const stop = <E extends "Stop" | "SubagentStop">(event: E, ruling: Ruling): Output<E> =>
  isSoft(ruling) ? specific(event, { additionalContext: ruling.reason } as SpecificFields[E]) : block(ruling);
const nothing = (): Record<string, never> => ({});

const ENCODERS: { readonly [E in ClaudeEvent]: Encoder<E> } = {
  PreToolUse: (ruling) =>
    specific("PreToolUse", {
      ...permission(ruling),
      ...(ruling.rewrite ? { updatedInput: ruling.rewrite.value } : {}),
      ...context(ruling),
    }),
  PostToolUse: (ruling) =>
    specific("PostToolUse", {
      ...(ruling.rewrite ? { updatedToolOutput: ruling.rewrite.value } : {}),
      ...context(ruling),
    }),
  PostToolUseFailure: (ruling) => specific("PostToolUseFailure", context(ruling)),
  PostToolBatch: (ruling) => ({ ...block(ruling), ...specific("PostToolBatch", context(ruling)) }),
  Notification: nothing,
  UserPromptSubmit: (ruling) => ({ ...block(ruling), ...specific("UserPromptSubmit", context(ruling)) }),
  UserPromptExpansion: (ruling) => ({ ...block(ruling), ...specific("UserPromptExpansion", context(ruling)) }),
  SessionStart: (ruling) => specific("SessionStart", { ...context(ruling), ...watch(ruling) }),
  SessionEnd: nothing,
  Stop: (ruling) => stop("Stop", ruling),
  StopFailure: nothing,
  SubagentStart: (ruling) => specific("SubagentStart", context(ruling)),
  SubagentStop: (ruling) => stop("SubagentStop", ruling),
  PreCompact: block,
  PostCompact: nothing,
  PreModelSwitch: (ruling) => specific("PreModelSwitch", permission(ruling)),
  PostModelSwitch: (ruling) => specific("PostModelSwitch", context(ruling)),
  PermissionRequest: (ruling) => {
    if (ruling.outcome === "deny") {
      return specific("PermissionRequest", { decision: { behavior: "deny", message: ruling.reason } });
    }
    return specific("PermissionRequest", ruling.outcome === "approve" ? { decision: { behavior: "allow" } } : {});
  },
  PermissionDenied: (ruling) => specific("PermissionDenied", ruling.outcome === "approve" ? { retry: true } : {}),
  Setup: nothing,
  TeammateIdle: nothing,
  TaskCreated: block,
  TaskCompleted: nothing,
  Elicitation: (ruling) => specific("Elicitation", ruling.outcome === "deny" ? { action: "decline" } : answer(ruling)),
  ElicitationResult: (ruling) =>
    specific("ElicitationResult", ruling.outcome === "deny" ? { action: "decline" } : answer(ruling)),
  ConfigChange: block,
  WorktreeCreate: nothing,
  WorktreeRemove: nothing,
  InstructionsLoaded: nothing,
  CwdChanged: (ruling) => specific("CwdChanged", watch(ruling)),
  FileChanged: (ruling) => specific("FileChanged", watch(ruling)),
  DirectoryAdded: nothing,
  MessageDisplay: (ruling) =>
    specific("MessageDisplay", ruling.rewrite ? { displayContent: ruling.rewrite.value } : {}),
};

/** For these events the client reads only the exit code. */
const EXIT_CODE_ONLY: readonly ClaudeEvent[] = ["TaskCompleted", "TeammateIdle"];
/** For these events exit code 2 has no meaning: only the field in the JSON answer counts. */
const ANSWER_ONLY: readonly ClaudeEvent[] = ["PermissionRequest", "Elicitation", "ElicitationResult"];

export function encode(event: AnyEvent, ruling: Ruling, form: Form): Reply {
  const agentEvent = event.agentEvent as ClaudeEvent;
  const plain = plainText(agentEvent, ruling);
  if (plain !== undefined) return { exit: 0, stdout: plain, stderr: "" };
  const encoder = ENCODERS[agentEvent] as (ruling: Ruling) => Output<ClaudeEvent>;
  const output: Output<ClaudeEvent> = { ...encoder(ruling) };
  // For a notification the client ignores messages, but it passes an escape sequence on to the terminal.
  const forTerminal = ruling.notices.filter(({ isAlert }) => isAlert || agentEvent === "Notification");
  const forPerson = ruling.notices.filter((notice) => !forTerminal.includes(notice));
  if (forPerson.length > 0) {
    output.systemMessage = forPerson.map((notice) => `${notice.text} [${notice.policy}]`).join("\n");
  }
  if (forTerminal.length > 0) output.terminalSequence = terminalSequence(forTerminal);
  if (ruling.end) Object.assign(output, { continue: false, stopReason: `${ruling.end.text} [${ruling.end.policy}]` });
  const stdout = Object.keys(output).length > 0 ? `${JSON.stringify(output)}\n` : "";
  const hasOnlyExitCode = EXIT_CODE_ONLY.includes(agentEvent);
  const isByExitCode = hasOnlyExitCode || (form === "exit" && !ANSWER_ONLY.includes(agentEvent));
  const isContext = isSoft(ruling) && !hasOnlyExitCode;
  if (!isBlock(ruling) || isContext || !isByExitCode) return { exit: 0, stdout, stderr: "" };
  return { exit: 2, stdout, stderr: `${ruling.reason}\n` };
}

/** Converts a stored answer between the forms `exit` and `json`, without changing the decision. */
export function inForm(event: AnyEvent, reply: Reply, form: Form): Reply {
  const agentEvent = event.agentEvent as ClaudeEvent;
  if (EXIT_CODE_ONLY.includes(agentEvent) || ANSWER_ONLY.includes(agentEvent) || reply.stdout === "") return reply;
  if (form === "json") return reply.exit === 2 ? { ...reply, exit: 0, stderr: "" } : reply;
  const reason =
    reply.exit === 0 && /^\{"(?:decision|hookSpecificOutput)"/.test(reply.stdout)
      ? blockReason(reply.stdout)
      : undefined;
  return reason === undefined ? reply : { ...reply, exit: 2, stderr: `${reason}\n` };
}

function blockReason(stdout: string): string | undefined {
  const { decision, reason, hookSpecificOutput: own } = JSON.parse(stdout) as Output<"PreToolUse">;
  if (decision === "block") return reason;
  return own?.permissionDecision === "deny" ? own.permissionDecisionReason : undefined;
}

/** Makes the terminal notify the person. */
function terminalSequence(notices: Ruling["notices"]): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these would end the sequence early
  const text = notices.map((notice) => notice.text.replace(/[\x00-\x1f\x7f-\x9f]+/g, " ")).join(" ");
  return `\x1b]9;${text.slice(0, 200)}\x07`;
}

/** Two events take plain text on stdout: compaction instructions, and the path of a created worktree. */
function plainText(agentEvent: ClaudeEvent, ruling: Ruling): string | undefined {
  if (agentEvent === "PreCompact" && ruling.outcome === "pass" && ruling.notes.length > 0) {
    return `${ruling.notes.map((note) => note.text).join("\n\n")}\n`;
  }
  if (agentEvent === "WorktreeCreate" && typeof ruling.rewrite?.value === "string") return `${ruling.rewrite.value}\n`;
  return undefined;
}

function isBlock(ruling: Ruling): boolean {
  return ruling.outcome === "deny" || ruling.outcome === "hold";
}

function isSoft(ruling: Ruling): boolean {
  return ruling.outcome === "hold" && ruling.strength === "soft";
}

export function denyUnreadable(_agentEvent: string, text: string, form: Form): Reply {
  const output = specific("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: text });
  return { exit: form === "json" ? 0 : 2, stdout: `${JSON.stringify(output)}\n`, stderr: `${text}\n` };
}
