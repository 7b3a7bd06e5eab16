import type { AnyEvent, JsonObject } from "../../../core/event.ts";
import { claudeEvent, PROJECT } from "../../../testing/events.ts";
import { FAKE_NOW } from "../../../testing/fake-ports.ts";
import type { ModeReader, StartRequest } from "../machine.ts";
import { aRun } from "../mode.samples.ts";
import type { ModeRun } from "../mode-run.ts";
import type { EndedCall } from "./call-result.ts";
import { ultraqa } from "./machine.ts";

/** A reader of files in memory; paths are relative to the project unless they are absolute. */
export function readerOf(files: Readonly<Record<string, string>>): ModeReader {
  return {
    project: PROJECT,
    now: FAKE_NOW,
    text(file, _about, digest) {
      const text = files[file] ?? files[file.slice(PROJECT.length + 1)];
      return text === undefined ? undefined : digest(text);
    },
    board: () => undefined,
  };
}

/** A run that was started like this while these files were there. */
export function startedAs(
  start: Partial<StartRequest> = {},
  files: Readonly<Record<string, string>> = {},
  changed: Partial<ModeRun> = {},
): ModeRun {
  const request = start.request ?? "--goal tests";
  const details = ultraqa.begin({ mode: "ultraqa", request, ...start }, readerOf(files));
  return aRun("ultraqa", { request, details, ...changed });
}

let calls = 0;
const call = (event: string, command: string, more: JsonObject, input: JsonObject): AnyEvent =>
  claudeEvent({
    hook_event_name: event,
    tool_name: "Bash",
    tool_input: { command, ...input },
    tool_use_id: `toolu_qa_${++calls}`,
    ...more,
  });

/** A shell call that has succeeded, as the agent reports it. */
export function ran(command: string, more: JsonObject = {}, input: JsonObject = {}): EndedCall {
  const response = { stdout: "", stderr: "", interrupted: false };
  return call("PostToolUse", command, { tool_response: response, ...more }, input) as EndedCall;
}

/** A shell call that has failed. */
export function failed(command: string, error = "Exit code 1\nFAIL a.test.ts", more: JsonObject = {}): EndedCall {
  return call("PostToolUseFailure", command, { error, is_interrupt: false, ...more }, {}) as EndedCall;
}
