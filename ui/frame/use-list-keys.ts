import { useLayoutEffect, useState } from "preact/hooks";
import { go } from "./address.ts";
import { takeKeys } from "./keyboard.ts";

/** The item that j and k chose, -1 for none; Enter goes where it leads to. */
export function useListKeys(count: number, hrefOf: (index: number) => string | undefined, closedHref?: string): number {
  const [selected, setSelected] = useState(-1);
  // Before the next key can be pressed.
  useLayoutEffect(() =>
    takeKeys({
      move: (by) => setSelected((now) => Math.max(0, Math.min(count - 1, now + by))),
      open: () => {
        const href = hrefOf(selected);
        if (href !== undefined) go(href);
      },
      close: () => closedHref !== undefined && go(closedHref),
    }),
  );
  return selected;
}
