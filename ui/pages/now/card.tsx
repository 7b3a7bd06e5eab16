import type { SessionCard } from "../../../src/daemon/dashboard/api.ts";
import { hrefWith } from "../../frame/address.ts";
import { counted } from "../../frame/wording.ts";
import { Mark } from "../../parts/mark.tsx";
import { Meter, Project, Since, shortSession, UsageText } from "../../parts/small.tsx";

/** One session; every card is equally high, whatever is known of it. */
export function Card({ card, isSelected }: { card: SessionCard; isSelected: boolean }) {
  const running = card.subagents.filter(({ state }) => state === "running").length;
  return (
    <a class={`card is-${card.state}`} href={hrefWith({ session: card.session }, "/")} aria-current={isSelected}>
      <span class="card-head">
        <Mark word={card.state} />
        <span class="muted number">
          <Since at={card.since} />
        </span>
        <strong class="grow">
          <Project path={card.project} />
        </strong>
        <span class="muted">{card.agent}</span>
      </span>
      <Headline card={card} />
      <span class="card-line muted">
        {card.modes.map((mode) => (
          <span key={mode.mode} class="tag">
            {mode.mode} {mode.round}/{mode.limit}
            {mode.phase && ` ${mode.phase}`}
          </span>
        ))}
        {card.plan && (
          <span class="tag">
            plan {card.plan.done}/{card.plan.all}
          </span>
        )}
        {card.team && (
          <span class="tag">
            {card.team.team}/{card.team.name}
          </span>
        )}
        {running > 0 && <span class="tag">{counted(running, "subagent")} at work</span>}
      </span>
      <span class="card-foot muted">
        <code>{shortSession(card.session)}</code>
        {card.context !== null && <Meter share={card.context} label="context" high={0.85} />}
        <span class="end">
          <UsageText usage={card.usage} />
        </span>
      </span>
    </a>
  );
}

/** What it waits for, or else what happened last. */
function Headline({ card }: { card: SessionCard }) {
  if (card.waitsFor !== null) {
    return (
      <span class="headline">
        <b>{card.waitsFor.tool}</b> <code>{card.waitsFor.subject}</code>
      </span>
    );
  }
  if (card.last === null) return <span class="headline muted">nothing decided yet</span>;
  return (
    <span class="headline">
      <Mark word={card.last.ruling} /> <code>{card.last.subject}</code>
    </span>
  );
}
