import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

interface Props {
  readonly label: string;
  readonly count: number;
  /** Its class has `--row-height` in pixels. All rows are equally high, so that where one lies is a multiplication. */
  readonly rows: string;
  /** A grid: how narrow an item may become. Without it each item has a row of its own. */
  readonly leastWidth?: number;
  /** Is kept in view when it changes; -1 for none. */
  readonly selected?: number;
  readonly item: (index: number) => ComponentChildren;
  /** The items that can be seen, the last one not included. */
  readonly onView?: (from: number, to: number, isAtTop: boolean) => void;
  /** Stands above the items and scrolls with them. */
  readonly children?: ComponentChildren;
}

/** Rows above and below what is seen, so that a slow scroll does not show gaps. */
const BESIDE = 6;

/** Only what can be seen is in the document: a list of 100,000 costs as much as one of 50. */
export function WindowedList(props: Props) {
  const { label, count, rows, leastWidth, selected = -1, item, onView, children } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 0, width: 0, rowHeight: 30 });
  const { rowHeight } = view;

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = (): void => {
      const high = Number(getComputedStyle(element).getPropertyValue("--row-height"));
      const above = Math.max(0, element.scrollTop - (body.current?.offsetTop ?? 0));
      // Within one row nothing changes, so nothing is drawn.
      const top = Math.floor(above / high) * high;
      const next = { top, height: element.clientHeight, width: element.clientWidth, rowHeight: high };
      setView((now) => (JSON.stringify(now) === JSON.stringify(next) ? now : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, []);

  const columns = leastWidth === undefined ? 1 : Math.max(1, Math.floor(view.width / leastWidth));
  const firstRow = Math.max(0, Math.floor(view.top / rowHeight) - BESIDE);
  const lastRow = Math.ceil((view.top + view.height) / rowHeight) + BESIDE;
  const from = Math.min(count, firstRow * columns);
  const to = Math.min(count, lastRow * columns);

  useEffect(() => {
    onView?.(from, to, (scroller.current?.scrollTop ?? 0) < rowHeight);
  }, [onView, from, to, rowHeight]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || selected < 0) return;
    const start = (body.current?.offsetTop ?? 0) + Math.floor(selected / columns) * rowHeight;
    if (start < element.scrollTop) element.scrollTop = start;
    else if (start + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = start + rowHeight - element.clientHeight;
    }
  }, [selected, columns, rowHeight]);

  const items: ComponentChildren[] = [];
  for (let index = from; index < to; index++) {
    const row = Math.floor(index / columns);
    const style = {
      transform: `translate(${(index % columns) * 100}%, ${row * rowHeight}px)`,
      width: `${100 / columns}%`,
      height: `${rowHeight}px`,
    };
    items.push(
      // biome-ignore lint/a11y/useSemanticElements: an li may not lie in a scrolling div without its ul
      <div key={index} role="listitem" aria-setsize={count} aria-posinset={index + 1} class="item" style={style}>
        {item(index)}
      </div>,
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls has to be reached by the keyboard
    <section class={`scroller ${rows}`} ref={scroller} tabIndex={0} aria-label={label}>
      {children}
      {/* biome-ignore lint/a11y/useSemanticElements: its items are placed by themselves */}
      <div class="items" ref={body} role="list" style={{ height: `${Math.ceil(count / columns) * rowHeight}px` }}>
        {items}
      </div>
    </section>
  );
}
