import type { AnyEvent } from "../core/event.ts";
import { edits, shell, USER_HOME, writes } from "./events.ts";

/**
 * The event that an example is about, if it says so exactly: a shell line in backticks, or `Write` or `Edit` and a path
 * in backticks. Everything else ("the same twice within 90 s") is there to be read.
 */
export function eventOfExample(example: string): AnyEvent | undefined {
  const [, tool, text] = /^(?:(Write|Edit) )?`([^`]+)`$/s.exec(example) ?? [];
  if (text === undefined) return undefined;
  if (tool === undefined) return shell(text);
  const file = text.replace(/^~(?=\/)/, USER_HOME);
  return tool === "Write" ? writes(file) : edits(file);
}
