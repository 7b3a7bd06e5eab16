import { useMemo } from "preact/hooks";
import { SESSION_STATES, type SessionCard } from "../../../src/daemon/dashboard/api.ts";
import { fromQuery, hrefWith, setQuery } from "../../frame/address.ts";
import { useResource } from "../../frame/resource.ts";
import { nowPage } from "../../frame/stream.ts";
import { useListKeys } from "../../frame/use-list-keys.ts";
import { counted } from "../../frame/wording.ts";
import { QueryField } from "../../parts/query-fields.tsx";
import { Empty, NothingYet, Pending } from "../../parts/small.tsx";
import { WindowedList } from "../../parts/windowed-list.tsx";
import { Approvals } from "./approvals.tsx";
import { Card } from "./card.tsx";
import { Machines } from "./machines.tsx";
import { SessionPanel } from "./session-panel.tsx";

const CARD_WIDTH = 320;

export function NowPage() {
  // The stream sends it as well; the request is what says why there is nothing.
  const first = useResource<typeof nowPage.value>(nowPage.value === undefined ? "/api/now" : null);
  const page = nowPage.value ?? first.data;
  const state = fromQuery("state");
  const search = fromQuery("search").toLowerCase();
  const open = fromQuery("session");

  const shown = useMemo(
    () => sorted(page?.sessions ?? []).filter((card) => matches(card, state, search)),
    [page, state, search],
  );

  const selected = useListKeys(
    shown.length,
    (index) => shown[index] && hrefWith({ session: shown[index].session }),
    hrefWith({ session: null }),
  );

  if (page === undefined) return <Pending of={first} />;
  const opened = page.sessions.find((card) => card.session === open);
  return (
    <div class={`page split${opened === undefined ? "" : " is-open"}`}>
      <section class="left" aria-label="Sessions">
        <div class="bar">
          <h1>Now</h1>
          <StateFilter sessions={page.sessions} chosen={state} />
          <QueryField name="search" placeholder="project, session, command" />
        </div>
        <Machines machines={page.machines} />
        {shown.length === 0 && page.approvals.length === 0 ? (
          <NoSessions isFiltered={state !== "" || search !== ""} />
        ) : (
          <WindowedList
            label="Sessions"
            count={shown.length}
            rows="of-cards"
            leastWidth={CARD_WIDTH}
            selected={selected}
            item={(index) => {
              const card = shown[index];
              return card && <Card card={card} isSelected={index === selected || card.session === open} />;
            }}
          >
            <Approvals requests={page.approvals} />
          </WindowedList>
        )}
      </section>
      {opened !== undefined && <SessionPanel key={opened.session} card={opened} />}
    </div>
  );
}

function StateFilter({ sessions, chosen }: { sessions: readonly SessionCard[]; chosen: string }) {
  return (
    <fieldset class="chips" aria-label="State">
      {SESSION_STATES.map((state) => {
        const count = sessions.filter((card) => card.state === state).length;
        return (
          <button
            key={state}
            type="button"
            class={`chip${count === 0 ? " is-zero" : ""}`}
            aria-pressed={chosen === state}
            title={`Show only ${counted(count, "session")} that ${count === 1 ? "is" : "are"} ${state}`}
            onClick={() => setQuery({ state: chosen === state ? null : state })}
          >
            <span class="number">{count}</span> {state}
          </button>
        );
      })}
    </fieldset>
  );
}

function NoSessions({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered) return <NothingYet />;
  return (
    <Empty title="No session matches.">
      <a href="/">Show all sessions</a>
    </Empty>
  );
}

/** Those that wait for a person first, the longest wait at the top; of the others the one that changed last. */
function sorted(sessions: readonly SessionCard[]): SessionCard[] {
  const place = (card: SessionCard): number => SESSION_STATES.indexOf(card.state);
  return [...sessions].sort((a, b) => {
    if (a.state !== b.state) return place(a) - place(b);
    return a.state === "waiting" ? a.since - b.since : b.since - a.since;
  });
}

function matches(card: SessionCard, state: string, search: string): boolean {
  if (state !== "" && card.state !== state) return false;
  if (search === "") return true;
  const words = [card.project, card.session, card.agent, card.waitsFor?.subject, card.last?.subject, card.team?.team];
  return words.some((word) => word?.toLowerCase().includes(search));
}
