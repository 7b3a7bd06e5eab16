import type { Span } from "../../../src/daemon/dashboard/api.ts";
import { duration } from "../../frame/wording.ts";
import { Numbers } from "../../parts/numbers.tsx";
import { Swatch } from "./swatch.tsx";

const KINDS: readonly (readonly [Span["kind"], string])[] = [
  ["waiting", "waiting for you"],
  ["hook", "in hooks"],
  ["tool", "in tools"],
  ["model", "in the model"],
];

/** Where the time went, of the main conversation and its subagents together. */
export function Totals({ spans, all }: { spans: readonly Span[]; all: number }) {
  const totals = KINDS.map(([kind, name]) => {
    const time = spans.reduce((sum, span) => sum + (span.kind === kind ? span.to - span.from : 0), 0);
    const label = (
      <>
        <Swatch kind={kind} /> {name}
      </>
    );
    return [label, duration(time), time === 0] as const;
  });
  return <Numbers of={[["shown", duration(all)], ...totals]} />;
}
