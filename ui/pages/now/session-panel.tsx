import type { SessionCard, SubagentCard } from "../../../src/daemon/dashboard/api.ts";
import { hrefTo, hrefWith } from "../../frame/address.ts";
import { counted } from "../../frame/wording.ts";
import { Code } from "../../parts/code.tsx";
import { FactList } from "../../parts/fact-list.tsx";
import { Mark } from "../../parts/mark.tsx";
import { At, Meter, Project, Since, UsageText } from "../../parts/small.tsx";

/** Everything that is known of one session. */
export function SessionPanel({ card }: { card: SessionCard }) {
  const { session } = card;
  return (
    <aside class="panel" aria-label="One session">
      <header class="panel-head">
        <Mark word={card.state} />
        <h2>
          <Project path={card.project} />
        </h2>
        <a class="button end" href={hrefWith({ session: null })}>
          Close
        </a>
      </header>
      {card.waitsFor !== null && (
        <section class="waits">
          <p>
            Waits for you since <Since at={card.since} />: <b>{card.waitsFor.tool}</b>
          </p>
          <Code text={card.waitsFor.subject} />
        </section>
      )}
      <p class="links">
        <a href={hrefTo("/decisions", { session })}>Decisions</a>
        <a href={hrefTo("/timeline", { session })}>Timeline</a>
        {card.plan && <a href="/work">Plan</a>}
      </p>
      <FactList
        of={[
          ["session", <code>{session}</code>],
          ["agent", card.agent],
          ["project", <code>{card.project}</code>],
          ["began", <At at={card.firstAt} />],
          ["last event", [<Since at={card.lastAt} />, " ago"]],
          ["context", card.context !== null && <Meter share={card.context} label="used" high={0.85} />],
          ["usage", card.usage && <UsageText usage={card.usage} />],
          ["plan", card.plan && `${card.plan.name}: ${card.plan.done} of ${counted(card.plan.all, "task")} done`],
          ["team", card.team && `${card.team.name} in ${card.team.team}`],
          ...card.modes.map(
            ({ mode, state, round, limit, phase }) =>
              ["mode", `${mode}: ${state}, round ${round} of ${limit}${phase && `, ${phase}`}`] as const,
          ),
          ["last ruling", card.last && <LastRuling last={card.last} session={session} />],
        ]}
      />
      <h3>Subagents</h3>
      {card.subagents.length === 0 ? (
        <p class="muted">None so far.</p>
      ) : (
        <SubagentTree all={card.subagents} session={session} parent="" path={[]} />
      )}
    </aside>
  );
}

function LastRuling({ last, session }: { last: NonNullable<SessionCard["last"]>; session: string }) {
  return (
    <>
      <a href={hrefTo(`/decisions/${last.id}`, { session })}>
        <Mark word={last.ruling} /> {last.policy}
      </a>{" "}
      <code>{last.subject}</code>
    </>
  );
}

interface TreeProps {
  readonly all: readonly SubagentCard[];
  readonly session: string;
  readonly parent: string;
  /** Those above, so that a subagent that names itself as its parent does not end in a circle. */
  readonly path: readonly string[];
}

function SubagentTree({ all, session, parent, path }: TreeProps) {
  const known = new Set(all.map(({ agentId }) => agentId));
  // One whose parent is not known stands at the top.
  const children = all.filter((one) =>
    parent === "" ? one.parent === "" || !known.has(one.parent) : one.parent === parent && !path.includes(one.agentId),
  );
  if (children.length === 0) return null;
  return (
    <ul class="tree">
      {children.map((one) => (
        <li key={one.agentId}>
          <span class="tree-row">
            <Mark word={one.state} />
            <b>{one.type || "subagent"}</b>
            <code class="muted">{one.agentId.slice(0, 10)}</code>
            <span class="muted number end">
              <Since at={one.since} />
            </span>
            <span class="muted number">
              <UsageText usage={one.usage} />
            </span>
          </span>
          <SubagentTree all={all} session={session} parent={one.agentId} path={[...path, one.agentId]} />
        </li>
      ))}
    </ul>
  );
}
