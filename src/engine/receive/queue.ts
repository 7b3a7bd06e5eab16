/** The names are dropped when there are so many and nothing runs: deleting each name after its event would cost more. */
const MOST_NAMES = 1_000;

/** Work under the same name runs one after the other; work under different names runs side by side. */
export function queueByName(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  let last = new Map<string, Promise<void>>();
  let running = 0;
  return (name, work) => {
    const mine = (last.get(name) ?? Promise.resolve()).then(work);
    running++;
    const end = (): void => {
      if (--running === 0 && last.size >= MOST_NAMES) last = new Map();
    };
    last.set(name, mine.then(end, end));
    return mine;
  };
}

/** Waits until the lock is free, and returns the function that releases it. */
export type Lock = () => Promise<() => void>;

/** A lock among the events of one process. */
export function openLock(): Lock {
  let last: Promise<void> = Promise.resolve();
  return async () => {
    const before = last;
    let release: () => void = () => undefined;
    last = new Promise<void>((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  };
}
