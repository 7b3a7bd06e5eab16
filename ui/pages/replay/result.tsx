import type { ReplayProgress } from "../../../src/daemon/dashboard/api.ts";
import { hrefTo } from "../../frame/address.ts";
import { counted, whole } from "../../frame/wording.ts";
import { Mark } from "../../parts/mark.tsx";
import { SummaryNumbers } from "../../parts/numbers.tsx";

type Done = Extract<ReplayProgress, { kind: "done" }>;

export function Result({ result: { summary, samples } }: { result: Done }) {
  const all = summary.replayed + summary.undecidable;
  const policies = [...new Set(samples.map(({ policy }) => policy))];
  return (
    <section class="block">
      <p>
        <b class="number">{whole(summary.replayed)}</b> of {counted(all, "event")} could be decided again
        {summary.undecidable > 0 && `; for ${whole(summary.undecidable)} not everything was recorded`}.
      </p>
      <SummaryNumbers summary={summary} />
      {samples.length === 0 && <p>Nothing would have been different.</p>}
      {policies.map((policy) => (
        <section key={policy}>
          <h3>{policy}</h3>
          <ul class="rows">
            {samples
              .filter((sample) => sample.policy === policy)
              .map((sample) => (
                <li key={sample.id + sample.change}>
                  <span class="tag">{sample.change}</span>
                  <Mark word={sample.before} /> →
                  <Mark word={sample.after} />
                  <a class="grow" href={hrefTo(`/decisions/${sample.id}`)}>
                    <code>{sample.subject}</code>
                  </a>
                  <span class="muted">{sample.outcome}</span>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </section>
  );
}
