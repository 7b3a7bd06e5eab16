import type { AnyEvent } from "../../core/event.ts";
import { codex } from "./adapter.ts";

/** The event before Codex applies a patch with these lines. */
export function patchCall(...lines: string[]): AnyEvent {
  const command = ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
  const payload = {
    ...{ session_id: "s", cwd: "/home/dev/app", hook_event_name: "PreToolUse" },
    ...{ tool_name: "apply_patch", tool_input: { command }, tool_use_id: "call_1" },
  };
  const decoded = codex.decode({ body: Buffer.from(JSON.stringify(payload)), namedEvent: "PreToolUse", cwd: "/" });
  if (decoded.kind !== "event") throw new Error("it is no event");
  return decoded.event;
}
