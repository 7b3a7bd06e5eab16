import { fingerprint } from "../../core/text/fingerprint.ts";
import { oneLine } from "../../core/text/one-line.ts";
import { maskText } from "../../state/masking.ts";

/**
 * - waiting: an agent needs an answer
 * - stopped: a policy has denied a call
 * - failed: a turn ended with an error
 * - done: the work that a person asked for is over
 */
export const KINDS = ["waiting", "stopped", "failed", "done"] as const;
export type Kind = (typeof KINDS)[number];

/** The sinks that a job serves; the terminal is served by the agent itself. */
export const JOB_SINKS = ["desktop", "tmux", "webhook"] as const;
export type JobSink = (typeof JOB_SINKS)[number];

/** What the person has configured under `notifications`. */
export interface NotificationOptions {
  readonly for: readonly Kind[];
  readonly subagents: boolean;
  readonly quiet?: string | undefined;
  readonly terminal: boolean;
  readonly desktop: boolean;
  readonly tmux: "off" | "message" | "option";
  readonly webhook?: { readonly url: string; readonly secretFile: string } | undefined;
  readonly otlp?: { readonly endpoint: string; readonly headersFile?: string | undefined } | undefined;
}

/** A type alias, because arguments of jobs need JSON. Addresses and keys are no part of it: jobs are stored. */
export type Notification = {
  /** The same for every try and every sink. */
  readonly id: string;
  readonly kind: Kind;
  /** For people, on one line, without secrets. */
  readonly text: string;
  readonly agent: string;
  readonly session: string;
  readonly project: string;
  /** In milliseconds. */
  readonly at: number;
};

/** The job that delivers one notification to one sink, so that a sink that fails is tried again alone. */
export const DELIVER_JOB = "notifications/deliver";
export type DeliverArgs = { readonly sink: JobSink; readonly notification: Notification };

const LONGEST_TEXT = 200;

/** Ready to be given to the job `DELIVER_JOB`, one for each sink. Any policy may send one. */
export function deliveries(options: NotificationOptions, about: Omit<Notification, "id">): readonly DeliverArgs[] {
  if (!isWanted(options, about)) return [];
  const { kind, session, at } = about;
  const text = oneLine(maskText(about.text), LONGEST_TEXT);
  const notification = { ...about, text, id: fingerprint(session, kind, String(at), text) };
  return JOB_SINKS.filter((sink) => isOn(options, sink)).map((sink) => ({ sink, notification }));
}

export function isWanted(options: NotificationOptions, { kind, at }: Pick<Notification, "kind" | "at">): boolean {
  return options.for.includes(kind) && !isQuiet(options.quiet, at);
}

function isOn({ desktop, tmux, webhook }: NotificationOptions, sink: JobSink): boolean {
  return { desktop, tmux: tmux !== "off", webhook: webhook !== undefined }[sink];
}

/** Is it within these hours, such as `22:00-07:00`, by the clock of this machine? */
export function isQuiet(hours: string | undefined, at: number): boolean {
  const [, from = "", to = ""] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(hours ?? "") ?? [];
  if (from === to) return false;
  const date = new Date(at);
  const now = [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
  return from < to ? from <= now && now < to : from <= now || now < to;
}
