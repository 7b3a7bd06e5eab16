import { useState } from "preact/hooks";
import type { DecisionDetail } from "../../../src/daemon/dashboard/api.ts";
import { hrefTo, hrefWith } from "../../frame/address.ts";
import { useResource } from "../../frame/resource.ts";
import { microseconds } from "../../frame/wording.ts";
import { Code } from "../../parts/code.tsx";
import { Diff } from "../../parts/diff.tsx";
import { FactList } from "../../parts/fact-list.tsx";
import { Mark } from "../../parts/mark.tsx";
import { At, Problem, Project, shortSession } from "../../parts/small.tsx";
import { DecisionActions } from "./decision-actions.tsx";
import { PolicyTable } from "./policy-table.tsx";
import { Row } from "./row.tsx";

export function DecisionPanel({ id }: { id: number }) {
  const { data, error, reload } = useResource<DecisionDetail>(`/api/decisions/${id}`);
  const [showsSilent, setShowsSilent] = useState(false);
  return (
    <aside class="panel" aria-label="One decision">
      <header class="panel-head">
        <h2 class="number">#{id}</h2>
        {data && <Mark word={data.ruling} />}
        <a class="button end" href={hrefWith({}, "/decisions")}>
          Close
        </a>
      </header>
      {error !== "" && <Problem text={error} onRetry={reload} />}
      {data === undefined && error === "" && <p class="muted">Loading…</p>}
      {data && (
        <>
          <Subject decision={data} />
          {data.reason !== "" && (
            <blockquote class="reason">
              <p>{data.reason}</p>
              {data.policy !== "" && <a href={hrefTo("/policies", { search: data.policy })}>{data.policy}</a>}
            </blockquote>
          )}
          <DecisionActions decision={data} onChanged={reload} />
          {data.effects.length > 0 && (
            <Section title="What the command would do">
              <ul class="effects">
                {data.effects.map((effect) => (
                  <li key={effect.kind + effect.text}>
                    <Mark word={effect.verdict} /> {effect.text} <span class="muted">{effect.kind}</span>
                  </li>
                ))}
              </ul>
            </Section>
          )}
          {data.diff !== "" && (
            <Section title="The edit">
              <Diff text={data.diff} />
            </Section>
          )}
          <Section title="What every policy said">
            <PolicyTable policies={data.policies} showsSilent={showsSilent} />
            <button type="button" class="quiet" aria-pressed={showsSilent} onClick={() => setShowsSilent(!showsSilent)}>
              {showsSilent ? "Only those that spoke" : "Also those that were silent"}
            </button>
          </Section>
          <Reply decision={data} />
          <Afterwards decision={data} />
          <Facts facts={data.facts} />
          <Section title="The event as it came" isFolded>
            <Code text={readable(data.body)} />
          </Section>
        </>
      )}
    </aside>
  );
}

function Subject({ decision }: { decision: DecisionDetail }) {
  const { session } = decision;
  return (
    <>
      <p class="muted">
        <At at={decision.at} /> · {decision.agent} {decision.agentEvent} · decided in{" "}
        <span class="number">{microseconds(decision.microseconds)}</span>
      </p>
      <p>
        <b>{decision.tool || decision.event}</b> in <Project path={decision.project} />,{" "}
        <a href={hrefTo("/timeline", { session })}>
          session <code>{shortSession(session)}</code>
        </a>
        {decision.agentId !== "" && (
          <>
            , subagent <code>{decision.agentId}</code>
          </>
        )}
      </p>
      <Code text={decision.subject} />
    </>
  );
}

function Reply({ decision: { reply } }: { decision: DecisionDetail }) {
  const isSilent = reply.stdout === "" && reply.stderr === "";
  return (
    <Section title="What the agent was told">
      {isSilent ? (
        <p class="muted">Nothing: exit code {reply.exit} and no text, so the agent went on.</p>
      ) : (
        <>
          <p class="muted">Exit code {reply.exit}</p>
          {reply.stdout !== "" && <Code text={readable(reply.stdout)} />}
          {reply.stderr !== "" && <Code text={reply.stderr} />}
        </>
      )}
    </Section>
  );
}

function Afterwards({ decision: { afterwards } }: { decision: DecisionDetail }) {
  return (
    <Section title="What happened afterwards">
      {afterwards.outcome !== "" && <p>{afterwards.outcome}</p>}
      {afterwards.rows.length === 0 && afterwards.outcome === "" && <p class="muted">Nothing that is known.</p>}
      {afterwards.rows.map((row) => (
        <Row key={row.id} row={row} />
      ))}
    </Section>
  );
}

function Facts({ facts }: { facts: DecisionDetail["facts"] }) {
  const names = Object.keys(facts);
  if (names.length === 0) return null;
  return (
    <Section title={`What was looked at (${names.length})`} isFolded>
      <FactList of={names.map((name) => [name, <code>{JSON.stringify(facts[name]) ?? "nothing"}</code>])} />
    </Section>
  );
}

interface SectionProps {
  readonly title: string;
  readonly isFolded?: boolean;
  readonly children: preact.ComponentChildren;
}

function Section({ title, isFolded = false, children }: SectionProps) {
  if (!isFolded) {
    return (
      <section>
        <h3>{title}</h3>
        {children}
      </section>
    );
  }
  return (
    <details class="section">
      <summary>{title}</summary>
      {children}
    </details>
  );
}

/** JSON with line breaks; other text as it is. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
