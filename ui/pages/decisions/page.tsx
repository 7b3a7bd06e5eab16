import { useLayoutEffect, useState } from "preact/hooks";
import { address, go, hrefWith } from "../../frame/address.ts";
import { takeKeys } from "../../frame/keyboard.ts";
import { counted, whole } from "../../frame/wording.ts";
import { Empty, NothingYet, Problem } from "../../parts/small.tsx";
import { WindowedList } from "../../parts/windowed-list.tsx";
import { DecisionPanel } from "./decision-panel.tsx";
import { filterOfAddress } from "./filter.ts";
import { FilterBar } from "./filter-bar.tsx";
import { Row } from "./row.tsx";
import { useDecisions } from "./use-decisions.ts";

/** So far the server counts. */
const MOST_COUNTED = 100_000;

export function DecisionsPage() {
  const filter = filterOfAddress();
  const { rows, heldCount, reload, onView } = useDecisions(filter);
  const opened = Number(/^\/decisions\/(\d+)$/.exec(address.value.path)?.[1] ?? 0);
  const [selected, setSelected] = useState(0);
  const current = selected === 0 ? opened : selected;

  // Before the next key can be pressed.
  useLayoutEffect(
    () =>
      takeKeys({
        move: (by) => {
          const index = Math.max(0, Math.min(rows.count - 1, rows.indexOf(current) + by));
          const id = rows.at(index)?.id ?? 0;
          setSelected(id);
          if (opened > 0 && id > 0) go(hrefWith({}, `/decisions/${id}`), { replace: true });
        },
        open: () => {
          if (current > 0) go(hrefWith({}, `/decisions/${current}`));
        },
        close: () => go(hrefWith({}, "/decisions")),
      }),
    [rows, current, opened],
  );

  const { count } = rows;
  return (
    <div class={`page split${opened > 0 ? " is-open" : ""}`}>
      <section class="left" aria-label="Decisions">
        <FilterBar filter={filter} />
        <p class="tally muted">
          {rows.isLoaded && (
            <span class="number">
              {rows.matching >= MOST_COUNTED
                ? `${whole(MOST_COUNTED)} decisions and more`
                : counted(rows.matching, "decision")}
            </span>
          )}
          {heldCount > 0 && (
            <button type="button" class="chip" onClick={reload}>
              ↑ {whole(heldCount)} new
            </button>
          )}
        </p>
        {rows.problem !== "" && <Problem text={rows.problem} onRetry={reload} />}
        {rows.isLoaded && count === 0 ? (
          <NoRows isFiltered={Object.keys(filter).length > 0} />
        ) : (
          <WindowedList
            key={rows}
            label="Decisions, the newest first"
            count={count}
            rows="of-decisions"
            selected={rows.indexOf(current)}
            onView={onView}
            item={(index) => {
              const row = rows.at(index);
              return row === undefined ? (
                <span class="row muted">…</span>
              ) : (
                <Row row={row} isSelected={row.id === current} />
              );
            }}
          />
        )}
      </section>
      {opened > 0 && <DecisionPanel key={opened} id={opened} />}
    </div>
  );
}

function NoRows({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered) return <NothingYet />;
  return (
    <Empty title="No decision matches.">
      <a href="/decisions">Show all decisions</a>
    </Empty>
  );
}
