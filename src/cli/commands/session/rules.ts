import { isDelivered } from "../../../domain/session/rules/evaluate.ts";
import { triggerFacts } from "../../../domain/session/rules/match-rules.ts";
import { allRules, brokenRules } from "../../../domain/session/rules/rule-files.ts";
import { triggerHolds } from "../../../domain/session/rules/triggers.ts";
import { sessionName } from "../../../domain/session/sessions.ts";
import { numberIn, objectIn } from "../../../domain/session/state.ts";
import type { SessionAccess } from "./session-access.ts";

/** Lists the rules by priority; with --explain also which of them apply to this session now. */
export async function rules(access: SessionAccess): Promise<number> {
  const { context, project, who } = access;
  const explained = access.read((store) => {
    const found = store.find(who);
    const counts = objectIn(found?.state ?? {}, "toolCallsByTranscript");
    const calls = Math.max(0, ...Object.keys(counts).map((name) => numberIn(counts, name, 0)));
    const usage = found && typeof found.state.contextUsage === "number" ? found.state.contextUsage : undefined;
    const now = { ...triggerFacts(found, "", { usage: () => usage, env: (name) => context.env[name] }), calls };
    const list = allRules(store, context.env.HOME ?? "/", project).map(({ rule, file }) => ({
      id: rule.id,
      priority: rule.priority,
      trigger: rule.trigger,
      mode: rule.mode,
      urgency: rule.urgency,
      inject: rule.inject,
      whitelist: rule.whitelist,
      description: rule.description,
      from: file || "shipped",
      by: rule.by ?? "session/rules",
      ...(rule.onlyWhen ? { onlyWhen: `directives: ${rule.onlyWhen}` } : {}),
      holds: triggerHolds(rule, now),
      said: isDelivered(rule, now),
    }));
    return { session: found?.dir ?? null, calls, usage: usage ?? null, rules: list, broken: brokenRules(store) };
  });
  if (context.options.json) {
    context.out(JSON.stringify(explained));
    return 0;
  }
  const isExplained = context.options.explain === true;
  if (isExplained) {
    const where = explained.session === null ? "no session" : sessionName(explained.session);
    const full = explained.usage === null ? "unknown" : `${Math.round(explained.usage * 100)} %`;
    context.out(`For ${where}; calls since the last log: ${explained.calls}; context: ${full}\n`);
  }
  for (const rule of explained.rules) {
    const state = rule.said ? "applied already" : rule.holds ? "applies now" : "does not apply";
    context.out(
      `${String(rule.priority).padStart(4)}  ${rule.id}  (${rule.urgency}, ${rule.mode}, ${rule.inject}) from ${rule.from}${isExplained ? `: ${state}` : ""}`,
    );
    if (!isExplained) continue;
    context.out(`      ${rule.description || "(no description)"}`);
    context.out(
      `      when ${rule.trigger.type} ${JSON.stringify(rule.trigger.condition)}; done by ${rule.by}${rule.onlyWhen ? `, only with ${rule.onlyWhen}` : ""}`,
    );
    if (rule.whitelist.length > 0) context.out(`      lets pass: ${rule.whitelist.join(", ")}`);
  }
  for (const { file, problem } of explained.broken)
    context.err(`hookwright: ${file} cannot be used: ${problem}. The rules it had before still apply.`);
  return 0;
}
