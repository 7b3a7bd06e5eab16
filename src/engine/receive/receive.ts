import type { Adapter, Decoded } from "../../agents/adapter.ts";
import { AGENT_NAMES, senderOf } from "../../agents/known-agents.ts";
import type { AnyEvent } from "../../core/event.ts";
import type { Frame, Reply } from "../../core/frame.ts";
import type { Ports } from "../../core/ports.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import { type HookArguments, parseHookArguments } from "./hook-arguments.ts";
import { isSwitchedOff } from "./kill-switch.ts";
import { trustedFrame } from "./trusted-frame.ts";

export const PASS_REPLY: Reply = { exit: 0, stdout: "", stderr: "" };

/** What a frame contains. */
export type Prepared =
  | { readonly kind: "answered"; readonly reply: Reply }
  | { readonly kind: "event"; readonly event: AnyEvent; readonly args: HookArguments; readonly adapter: Adapter }
  | { readonly kind: "other"; readonly decoded: Other; readonly args: HookArguments; readonly adapter: Adapter };

export type PreparedEvent = Extract<Prepared, { kind: "event" }>;
type Other = Exclude<Decoded, { kind: "event" }>;

export interface Received {
  /** The frame without variables that a project may not set. */
  readonly frame: Frame;
  /** For the person, when a project tried to set some of them; else empty. */
  readonly notice: string;
  /** The kill switch that lets everything pass, whatever the policies say; else empty. */
  readonly switchedOff: string;
  readonly prepared: Prepared;
}

export function receive(received: Frame, homeRoot: string, ports: Ports, userHome: string): Received {
  const { frame, notice } = trustedFrame(received, ports, userHome);
  return { frame, notice, switchedOff: killSwitch(frame, homeRoot), prepared: prepare(frame) };
}

function killSwitch({ env }: Frame, homeRoot: string): string {
  if (env.HOOKWRIGHT_DISABLE === "1") return "HOOKWRIGHT_DISABLE=1";
  return isSwitchedOff(homeRoot) ? "`hookwright off`" : "";
}

/** A registration sends the same arguments with every event. */
const parsed = new Map<string, HookArguments | string>();
const MOST_PARSED = 200;

function argumentsOf(words: readonly string[]): HookArguments | string {
  const key = words.join("\0");
  let known = parsed.get(key);
  if (known === undefined) {
    known = parseHookArguments(words);
    if (parsed.size >= MOST_PARSED) parsed.clear();
    parsed.set(key, known);
  }
  return known;
}

export function prepare(frame: Frame): Prepared {
  const args = argumentsOf(frame.args);
  if (typeof args === "string") return wrongUsage(args);
  const adapter = senderOf(args.agent, frame.env, frame.body);
  if (!adapter) return wrongUsage(`the agent \`${args.agent}\` is not known; known: ${AGENT_NAMES.join(", ")}`);
  const decoded = decodeBody(adapter, frame, args);
  if (decoded.kind === "event") return { kind: "event", event: decoded.event, args, adapter };
  return { kind: "other", decoded, args, adapter };
}

function wrongUsage(detail: string): Prepared {
  const stderr = `hookwright hook: ${detail}. Run \`hookwright hook --help\`.\n`;
  return { kind: "answered", reply: { exit: 1, stdout: "", stderr } };
}

function decodeBody(adapter: Adapter, frame: Frame, args: HookArguments): Decoded {
  if (frame.cut === "too-large") return { kind: "unreadable", detail: "it is larger than 64 MB" };
  const decoded = adapter.decode({ body: frame.body, namedEvent: args.event, cwd: frame.cwd });
  if (decoded.kind === "unreadable" && frame.cut === "timeout") {
    return { kind: "unreadable", detail: "the pipe was not closed in time" };
  }
  return decoded;
}

/**
 * The same call retried gets the ruling it had. Without a call id nothing tells a retry from a repetition but the
 * client's nonce, which a retry keeps. An event that a person has answered is decided once more, under another key.
 */
export function keyOf(
  event: AnyEvent,
  frame: Pick<Frame, "nonce" | "body">,
  args: Pick<HookArguments, "profiles">,
  answered?: number,
): string {
  const useId = event.tool?.useId ?? "";
  const profiles = (args.profiles ?? []).join(",");
  const names = [event.agent, event.session, event.agentId, event.name, profiles, useId];
  const who = (answered === undefined ? names : [...names, `answered ${answered}`]).join("\0");
  return useId === "" ? fingerprint(who, frame.nonce) : fingerprint(who, frame.body);
}

/** Two registrations (person and project) report an event without a call id twice; the first one seen counts. */
export function isSecondRegistration(event: AnyEvent, args: HookArguments, firstVia: string): boolean {
  return args.via !== "" && firstVia !== "" && firstVia !== args.via && (event.tool?.useId ?? "") === "";
}
