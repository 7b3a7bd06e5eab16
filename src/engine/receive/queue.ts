/** Names are forgotten once there are so many; one that comes and goes with every event would cost more than it holds. */
const MOST_NAMES = 1_000;

/** Work under the same name runs one after the other; different names do not wait for each other. */
export function inTurns(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
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

/** Returns a function that resolves when it is our turn, to the function that ends the turn. */
export function oneAtATime(): () => Promise<() => void> {
  let last: Promise<void> = Promise.resolve();
  return async () => {
    const before = last;
    let end: () => void = () => undefined;
    last = new Promise<void>((resolve) => {
      end = resolve;
    });
    await before;
    return end;
  };
}
