import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { DecisionsPage } from "../../../src/daemon/dashboard/api.ts";
import { get } from "../../frame/server.ts";
import { decisionsArrived } from "../../frame/stream.ts";
import { decisionsQuery, type Filter } from "./filter.ts";
import { LiveRows } from "./live-rows.ts";
import { PAGE_SIZE, PagedRows } from "./paged-rows.ts";

interface Decisions {
  readonly rows: PagedRows;
  /** New rows that are held back while somebody reads further down. */
  readonly heldCount: number;
  readonly reload: () => void;
  readonly onView: (from: number, to: number, isAtTop: boolean) => void;
}

/** The list for one filter: pages of the journal, and what is added to it meanwhile. */
export function useDecisions(filter: Filter): Decisions {
  const [, draw] = useState(0);
  const [round, setRound] = useState(0);
  const isAtTop = useRef(true);
  const key = JSON.stringify(filter);

  // `key` stands for the filter, `round` begins anew.
  const list = useMemo(() => {
    const request = new AbortController();
    const changed = (): void => {
      if (!request.signal.aborted) draw((before) => before + 1);
    };
    const fetchRows = (before: number | null, limit: number): Promise<DecisionsPage> =>
      get(decisionsQuery(filter, before, limit), request.signal);
    const rows = new PagedRows(fetchRows, changed);
    const live = new LiveRows({
      rows,
      newest: () => fetchRows(null, PAGE_SIZE),
      isFiltered: Object.keys(filter).length > 0,
      isReading: () => !isAtTop.current,
      changed,
    });
    return { rows, live, request };
  }, [key, round]);

  useEffect(() => {
    const stop = decisionsArrived((rows) => list.live.arrived(rows));
    return () => {
      stop();
      list.live.end();
      list.request.abort();
    };
  }, [list]);

  return {
    rows: list.rows,
    heldCount: list.live.heldCount,
    reload: () => setRound((before) => before + 1),
    onView: useCallback(
      (from: number, to: number, atTop: boolean) => {
        isAtTop.current = atTop;
        list.rows.show(from, to);
      },
      [list],
    ),
  };
}
