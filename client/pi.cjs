"use strict";
// The extension for pi. It reports what pi does under pi's own names and carries out the answers: a blocked call, changed
// arguments, text in results and messages, a follow-up message that holds a turn. `hookwright init` writes the file that
// loads it.
const { connect, IdleHolds, Waiting } = require("./shim.cjs");

const END_BUDGET_MS = 1200;
const SESSION = "this"; // an extension sees one session at a time

/** Registers the handlers for one session of pi. */
exports.start = (settings, pi) => {
  const ask = connect({ ...settings, agent: "pi" });
  const [waiting, idle, heldTexts] = [new Waiting(), new IdleHolds(), new Set()];

  const tell = (text, ctx) => {
    if (!text) return;
    if (ctx.hasUI) ctx.ui.notify(`Hookwright: ${text}`, "warning");
    else process.stderr.write(`Hookwright: ${text}\n`);
  };
  /** Asks about an event, and tells the person what is for a person. */
  const about = async (event, ctx, fields, options) => {
    const { sessionManager: session, cwd } = ctx;
    const who = { sessionId: session.getSessionId(), sessionFile: session.getSessionFile() ?? "", cwd };
    const answer = await ask(event, { ...who, ...fields }, options);
    tell(answer.notice, ctx);
    waiting.add(SESSION, answer.note);
    return answer;
  };

  pi.on("session_start", async ({ reason }, ctx) => {
    await about("session_start", ctx, { reason });
  });

  pi.on("input", async ({ text, source }, ctx) => {
    if (source === "extension" && heldTexts.delete(text)) return undefined;
    const { deny } = await about("input", ctx, { text, source });
    if (deny) {
      tell(deny, ctx);
      return { action: "handled" };
    }
    if (source !== "extension") idle.worked(SESSION);
    return undefined;
  });

  pi.on("before_agent_start", () => {
    const content = waiting.take(SESSION);
    return content ? { message: { customType: "hookwright", content, display: false } } : undefined;
  });

  pi.on("tool_call", async (event, ctx) => {
    const { toolName, toolCallId, input } = event;
    const { deny, args } = await about("tool_call", ctx, { toolName, toolCallId, input }, { isGuarded: true });
    if (deny) return { block: true, reason: deny };
    if (args) {
      for (const name of Object.keys(input)) delete input[name];
      Object.assign(input, args);
    }
    return undefined;
  });

  pi.on("tool_result", async (event, ctx) => {
    idle.worked(SESSION);
    const { toolName, toolCallId, input, content, isError } = event;
    const { output } = await about("tool_result", ctx, { toolName, toolCallId, input, content, isError });
    const text = waiting.take(SESSION);
    if (output === undefined && !text) return undefined;
    const base = output === undefined ? content : [{ type: "text", text: output }];
    return { content: text ? [...base, { type: "text", text }] : base };
  });

  pi.on("agent_end", async ({ messages }, ctx) => {
    const last = messages.findLast(({ role }) => role === "assistant");
    if (last?.stopReason === "error") await about("agent_end.error", ctx, { error: last.errorMessage ?? "" });
    // A person who broke off, or who has already written more, is not held up.
    if (last?.stopReason === "error" || last?.stopReason === "aborted" || ctx.hasPendingMessages()) return;
    const parts = Array.isArray(last?.content) ? last.content : [];
    const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    const { hold } = await about("agent_end", ctx, { text, held: idle.isHeld(SESSION) });
    if (!hold || !idle.another(SESSION)) return;
    heldTexts.add(hold);
    pi.sendUserMessage(hold, { deliverAs: "followUp" });
  });

  pi.on("session_before_compact", async ({ reason, customInstructions = "" }, ctx) => {
    await about("session_before_compact", ctx, { reason, customInstructions });
  });

  pi.on("session_compact", async ({ reason, compactionEntry }, ctx) => {
    await about("session_compact", ctx, { reason, summary: compactionEntry?.summary ?? "" });
    await about("session_start", ctx, { reason: "compact" });
  });

  pi.on("session_shutdown", async ({ reason }, ctx) => {
    await about("session_shutdown", ctx, { reason }, { budgetMs: END_BUDGET_MS });
  });
};
