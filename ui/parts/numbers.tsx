import type { ComponentChildren } from "preact";
import type { ReplaySummary } from "../../src/daemon/dashboard/api.ts";
import { whole } from "../frame/wording.ts";

interface Props {
  /** Name, the number as it is shown, and whether it is nothing to look at. */
  readonly of: readonly (readonly [name: ComponentChildren, text: string, isZero?: boolean])[];
}

/** A few large numbers in a row. */
export function Numbers({ of }: Props) {
  return (
    <dl class="numbers">
      {of.map(([name, text, isZero]) => (
        <div class={isZero ? "is-zero" : ""}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What another configuration would have changed. */
export function SummaryNumbers({ summary }: { summary: ReplaySummary }) {
  const counts = [
    ["newly denied", summary.newlyDenied],
    ["newly asked", summary.newlyAsked],
    ["newly allowed", summary.newlyAllowed],
    ["changed context", summary.changedContext],
  ] as const;
  return <Numbers of={counts.map(([name, count]) => [name, whole(count), count === 0])} />;
}
