import { isObject, type JsonObject } from "../../core/event.ts";
import type { CallEnd } from "../build-event.ts";
import type { Fields } from "../payload.ts";

/** What stands behind the output of a command that has ended. The output itself may have lines that look alike. */
const AFTER_OUTPUT = String.raw`(?:\nBackground PIDs: [\d, ]+)?(?:\nProcess Group PGID: (?:\d+|\(none\)))?$`;
const FAILED = new RegExp(String.raw`\nExit Code: (\d+)(?:\nSignal: (?:\w+|\(none\)))?${AFTER_OUTPUT}`);
const KILLED = new RegExp(String.raw`\nSignal: (\w+)${AFTER_OUTPUT}`);
const OUTPUT = /(?:^|\n)Output: ([\s\S]*)/;
const MARKED = /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>$/;
const TOO_LATE = /^Command (?:was automatically cancelled because it exceeded the timeout|timed out) /;
const CANCELLED = /^Command was cancelled /;
const IN_BACKGROUND = /^(?:<untrusted_context>\n)?Command moved to background \(PID: (\d+)\)/;

/**
 * Gemini CLI reports a command that failed like one that succeeded: the exit code stands in the text for the model. Errors
 * are worded as Claude Code words them, because policies read them.
 */
export function endOfCall(fields: Fields): CallEnd | undefined {
  const given = fields.value("tool_response");
  if (!isObject(given)) return undefined;
  if (isObject(given.error))
    return { error: typeof given.error.message === "string" ? given.error.message : "It failed." };
  return typeof given.llmContent === "string" ? endOfText(given, given.llmContent) : undefined;
}

function endOfText(response: JsonObject, llmContent: string): CallEnd | undefined {
  const background = IN_BACKGROUND.exec(llmContent)?.[1];
  if (background !== undefined) return { response: { ...response, backgroundTaskId: background } };
  const error = errorIn(llmContent);
  return error === undefined ? undefined : { error };
}

/** The error of a command in the words of Claude Code; undefined for a text that reports no failure of a command. */
export function errorIn(llmContent: string): string | undefined {
  const text = MARKED.exec(llmContent.trim())?.[1] ?? llmContent.trim();
  if (TOO_LATE.test(text)) return `Command timed out\n${text}`;
  if (CANCELLED.test(text)) return `Command was interrupted\n${text}`;
  const signal = KILLED.exec(text)?.[1];
  if (signal !== undefined) return `Command was interrupted by signal ${signal}\n${outputIn(text)}`;
  const code = FAILED.exec(text)?.[1];
  return code === undefined || code === "0" ? undefined : `Exit code ${code}\n${outputIn(text)}`;
}

function outputIn(text: string): string {
  const output = OUTPUT.exec(text)?.[1] ?? text;
  return output
    .replace(FAILED, "")
    .replace(KILLED, "")
    .replace(/\nError: \(none\)$/, "");
}
