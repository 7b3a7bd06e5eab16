import { CLAUDE_EVENTS } from "../../../agents/claude-code/events.ts";
import { HookwrightError } from "../../../core/errors.ts";
import { eventNames } from "../../../core/event.ts";
import { nearestName } from "../../../core/text/nearest-name.ts";
import type { JournalFilter } from "../../../state/journal-query.ts";
import { matchOf } from "../../../state/search/search-index.ts";
import type { CommandContext } from "../../command.ts";
import { type ExportFormat, FORMATS } from "./export.ts";
import type { ForgetRequest } from "./forget.ts";
import { formatTime, parseTime } from "./time-format.ts";

type Options = CommandContext["options"];

export function usageError(detail: string): HookwrightError {
  return new HookwrightError("HW_USAGE", { detail, command: "journal" });
}

export function readFilter(options: Options, now: number): JournalFilter {
  const session = textOption(options.session);
  const event = textOption(options.event);
  const policy = textOption(options.policy);
  const since = momentOf(options, "since", now);
  return {
    ...(session === undefined ? {} : { session }),
    ...(event === undefined ? {} : { event }),
    ...(policy === undefined ? {} : { policy }),
    ...(since === undefined ? {} : { since }),
    isDenied: options.denied === true,
  };
}

/** The words of `--search`. */
export function readSearch(options: Options): string | undefined {
  const words = textOption(options.search);
  if (words === undefined || matchOf(words) !== "") return words;
  throw usageError(`--search takes words with letters or digits, not \`${words}\`.`);
}

export function readFormat(options: Options): ExportFormat {
  const given = textOption(options.format) ?? FORMATS[0];
  const format = FORMATS.find((one) => one === given);
  if (format === undefined) throw usageError(`--format takes ${FORMATS.join(" or ")}, not \`${given}\`.`);
  return format;
}

/** What to delete: a session, entries before a time, or everything; exactly one of them. */
export function readForgetRequest(options: Options, now: number): ForgetRequest {
  const other = ["denied", "event", "policy", "since", "id", "limit", "follow", "out", "json", "search", "format"].find(
    (name) => options[name] !== undefined,
  );
  if (other !== undefined) throw usageError(`\`forget\` does not take --${other}.`);
  const session = textOption(options.session);
  const before = momentOf(options, "before", now);
  const given = [session !== undefined, before !== undefined, options.all === true].filter(Boolean).length;
  if (given !== 1) throw usageError("Say what to forget: --session S, --before T or --all.");
  if (session !== undefined) return { filter: { session }, what: ` of session ${session}` };
  if (before !== undefined) return { filter: { before }, what: ` from before ${formatTime(before)}` };
  return { filter: {}, what: "" };
}

export function readCountOption(options: Options, name: "limit" | "id"): number | undefined {
  const given = options[name];
  if (given === undefined) return undefined;
  const count = Number(given);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw usageError(`--${name} takes a whole number above 0, not \`${given}\`.`);
}

/** A hint for a misspelt event name, which matches no entry. */
export function nearestEvent({ event }: JournalFilter): string {
  if (event === undefined) return "";
  const known = [...Object.keys(CLAUDE_EVENTS), ...eventNames];
  return known.includes(event) ? "" : nearestName(event, known);
}

function momentOf(options: Options, name: "since" | "before", now: number): number | undefined {
  const given = textOption(options[name]);
  if (given === undefined) return undefined;
  const at = parseTime(given, now);
  if (at === undefined) throw usageError(`--${name} takes a time such as 15m, 1h, 2d or 2026-01-02, not \`${given}\`.`);
  return at;
}

export function textOption(option: Options[string]): string | undefined {
  return typeof option === "string" ? option : undefined;
}
