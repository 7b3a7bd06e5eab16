/** A ruling for each verdict, to see what an agent is answered. */
import { PASS, type Ruling } from "../../../src/core/ruling.ts";
import type { VerdictKind } from "../../../src/core/verdict.ts";

const from = { policy: "pack/policy" };
const RULINGS: Readonly<Record<VerdictKind, Readonly<Record<string, Partial<Ruling>>>>> = {
  deny: { deny: { outcome: "deny", reason: "No: “this”.", ...from } },
  ask: { ask: { outcome: "ask", reason: "Sure?", ...from } },
  note: {
    note: {
      notes: [
        { ...from, text: "One." },
        { ...from, text: "Two." },
      ],
    },
  },
  notice: { notice: { notices: [{ ...from, text: "Look." }] } },
  hold: {
    "hard hold": { outcome: "hold", strength: "hard", reason: "Go on.", ...from },
    "soft hold": { outcome: "hold", strength: "soft", reason: "Go on.", ...from },
  },
  release: {},
  rewrite: { rewrite: { rewrite: { ...from, value: { action: "accept", content: { color: "red" } } } } },
  approve: { approve: { outcome: "approve", ...from } },
  wait: { wait: { wait: { ...from, text: "" } } },
  end: { end: { end: { ...from, text: "Over." } } },
  watch: { watch: { watch: ["/home/dev/app/.env"] } },
  environment: { environment: { environment: { A: "1" } } },
};

/** Passing, each of these verdicts alone, and all of them that can come together. */
export function rulingsOf(kinds: readonly VerdictKind[], textRewrite?: string): Readonly<Record<string, Ruling>> {
  const alone = Object.assign({}, ...kinds.map((kind) => RULINGS[kind])) as Record<string, Partial<Ruling>>;
  if (textRewrite !== undefined && "rewrite" in alone) alone.rewrite = { rewrite: { ...from, value: textRewrite } };
  const together: Partial<Ruling> = Object.assign({}, ...Object.values(alone).reverse());
  const all = { pass: {}, ...alone, ...(kinds.length > 1 ? { together } : {}) };
  return Object.fromEntries(Object.entries(all).map(([name, said]) => [name, { ...PASS, ...said }]));
}
