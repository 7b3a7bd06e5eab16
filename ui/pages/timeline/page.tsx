import { useMemo } from "preact/hooks";
import type { Span, Timeline } from "../../../src/daemon/dashboard/api.ts";
import { Lanes } from "../../charts/lanes.tsx";
import { fromQuery, hrefTo } from "../../frame/address.ts";
import { useResource } from "../../frame/resource.ts";
import { useListKeys } from "../../frame/use-list-keys.ts";
import { QueryChoice } from "../../parts/query-fields.tsx";
import { Empty, Pending } from "../../parts/small.tsx";
import { WindowedList } from "../../parts/windowed-list.tsx";
import { SessionChoice } from "./session-choice.tsx";
import { SpanRow } from "./span-row.tsx";
import { Totals } from "./totals.tsx";

const MINUTE = 60_000;
const WINDOWS = [
  ["", "all of it"],
  ["5", "the last 5 minutes"],
  ["30", "the last 30 minutes"],
  ["120", "the last 2 hours"],
] as const;
export function TimelinePage() {
  const session = fromQuery("session");
  const before = fromQuery("before");
  const query = before === "" ? { session } : { session, before };
  const path = session === "" ? null : hrefTo("/api/timeline", query);
  const timeline = useResource<Timeline>(path, { follow: before === "" });
  const { data } = timeline;

  const minutes = Number(fromQuery("minutes"));
  const { spans, from, to } = useMemo(() => inWindow(data?.spans ?? [], minutes), [data, minutes]);
  const listed = useMemo(() => spans.sort((a, b) => b.from - a.from), [spans]);
  const selected = useListKeys(listed.length, (index) => {
    const decision = listed[index]?.decision ?? null;
    return decision === null ? undefined : hrefTo(`/decisions/${decision}`, { session });
  });

  return (
    <div class="page column">
      <div class="bar">
        <h1>Timeline</h1>
        <SessionChoice />
        <QueryChoice name="minutes" label="show" options={WINDOWS} />
        {data !== undefined && data.next !== null && (
          <a class="button" href={hrefTo("/timeline", { session, before: String(data.next) })}>
            Earlier
          </a>
        )}
        {before !== "" && (
          <a class="button" href={hrefTo("/timeline", { session })}>
            Newest
          </a>
        )}
      </div>
      {session !== "" && <Pending of={timeline} />}
      {session === "" && (
        <Empty title="Choose a session.">
          Its card on <a href="/">Now</a> leads here as well.
        </Empty>
      )}
      {session !== "" && data !== undefined && data.spans.length === 0 && (
        <Empty title="The journal has nothing of this session.">
          <a href="/timeline">Choose another session</a>
        </Empty>
      )}
      {data !== undefined && spans.length > 0 && (
        <>
          <Totals spans={spans} all={to - from} />
          <Lanes spans={spans} from={from} to={to} />
          <WindowedList
            label="Spans, the newest first"
            count={listed.length}
            rows="of-spans"
            selected={selected}
            item={(index) => {
              const span = listed[index];
              return span && <SpanRow span={span} session={session} isSelected={index === selected} />;
            }}
          />
        </>
      )}
    </div>
  );
}

/** The spans of the last minutes, cut at the edge; 0 minutes are all of them. */
function inWindow(all: readonly Span[], minutes: number): { spans: Span[]; from: number; to: number } {
  const to = all.reduce((most, span) => Math.max(most, span.to), 0);
  const first = all.reduce((least, span) => Math.min(least, span.from), to);
  const from = minutes > 0 ? Math.max(first, to - minutes * MINUTE) : first;
  return { spans: all.filter((span) => span.to >= from), from, to };
}
