import type { AnyEvent } from "../core/event.ts";
import { edits, shell, USER_HOME, writes } from "./events.ts";

/**
 * The event of an example that can be run: a shell line in backticks, or `Write` or `Edit` with a path in backticks.
 * Undefined for examples that are only for reading, such as "the same twice within 90 s".
 */
export function eventOfExample(example: string): AnyEvent | undefined {
  const [, tool, text] = /^(?:(Write|Edit) )?`([^`]+)`$/s.exec(example) ?? [];
  if (text === undefined) return undefined;
  if (tool === undefined) return shell(text);
  const file = text.replace(/^~(?=\/)/, USER_HOME);
  return tool === "Write" ? writes(file) : edits(file);
}
