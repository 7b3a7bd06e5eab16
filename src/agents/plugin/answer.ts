import { type AnyEvent, isObject, type Json, type JsonObject } from "../../core/event.ts";
import type { Reply } from "../../core/frame.ts";
import type { Ruling } from "../../core/ruling.ts";
import type { VerdictKind } from "../../core/verdict.ts";
import { jsonReply } from "../answer.ts";
import type { Declaration } from "../declaration.ts";
import { type ToolTable, theirInput } from "../tool-table.ts";

/**
 * Every answer that a plugin of ours gets and carries out (client/shim.cjs). It takes an answer with any other field for one
 * that it does not understand, and then denies the call.
 */
export type PluginAnswer = (
  | { readonly deny: string }
  | { readonly hold: string }
  | {
      /** For the model. */
      readonly note?: string;
      /** Arguments in place of those of the call, in the agent's own names. */
      readonly args?: JsonObject;
      /** What the model reads in place of the call's result. */
      readonly output?: string;
    }
) & {
  /** For the person. */
  readonly notice?: string;
};

/** What an agent's adapter knows: only declared verdicts are ever sent. */
export interface PluginAgent {
  readonly declaration: Declaration;
  readonly tools: ToolTable;
}

export function encodeForPlugin({ declaration, tools }: PluginAgent, event: AnyEvent, ruling: Ruling): Reply {
  const can = declaration.events[event.agentEvent]?.can ?? [];
  const does = (kind: VerdictKind): boolean => can.includes(kind);
  const said = ruling.notices.map(({ text, policy }) => `${text} [${policy}]`).join("\n");
  const notice = said !== "" && does("notice") ? { notice: said } : {};
  return jsonReply({ ...answerTo(ruling, { does, event, tools }), ...notice });
}

interface Asked {
  readonly does: (kind: VerdictKind) => boolean;
  readonly event: AnyEvent;
  readonly tools: ToolTable;
}

function answerTo({ outcome, reason, notes, rewrite }: Ruling, { does, event, tools }: Asked): PluginAnswer {
  // Nobody is there to be asked.
  if ((outcome === "deny" || outcome === "ask") && does("deny")) return { deny: reason };
  if (outcome === "hold" && does("hold")) return { hold: reason };
  const note = notes.map(({ text }) => text).join("\n\n");
  return {
    ...(rewrite && does("rewrite") && changed(rewrite.value as Json, event, tools)),
    ...(note !== "" && does("note") && { note }),
  };
}

function changed(value: Json, { name, tool }: AnyEvent, tools: ToolTable): PluginAnswer {
  if (name === "tool.before") {
    // Arguments that only reading has brought into our form have no way back.
    const isReshaped = tool !== undefined && tools.get(tool.name)?.input !== undefined;
    return tool && isObject(value) && !isReshaped ? { args: theirInput(tools, tool.name, value) } : {};
  }
  return { output: typeof value === "string" ? value : JSON.stringify(value) };
}
