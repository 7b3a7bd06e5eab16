/** What client/shim.cjs takes, which the plugins for opencode and pi carry out; any other field makes it deny the call. */
import * as z from "zod";
import type { Declaration } from "../declaration.ts";

const text = z.string().min(1);

export function acceptedByPlugin({ events }: Declaration, agentEvent: string): { readonly answer: z.ZodType } {
  const { name = "", can = [] } = events[agentEvent] ?? {};
  const notice = can.includes("notice") ? { notice: text.optional() } : {};
  const more = z.strictObject({
    ...notice,
    ...(can.includes("note") ? { note: text.optional() } : {}),
    ...(can.includes("rewrite") && name === "tool.before"
      ? { args: z.record(z.string(), z.unknown()).optional() }
      : {}),
    ...(can.includes("rewrite") && name === "tool.after" ? { output: z.string().optional() } : {}),
  });
  const others = [
    ...(can.includes("deny") ? [z.strictObject({ deny: text, ...notice })] : []),
    ...(can.includes("hold") ? [z.strictObject({ hold: text, ...notice })] : []),
  ];
  return { answer: z.union([more, ...others]) };
}
