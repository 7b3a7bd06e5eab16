/** Work under the same name runs one after the other; different names do not wait for each other. */
export function inTurns(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<void>>();
  return (name, work) => {
    const mine = (last.get(name) ?? Promise.resolve()).then(work);
    const ended = mine.then(
      () => undefined,
      () => undefined,
    );
    last.set(name, ended);
    void ended.then(() => last.get(name) === ended && last.delete(name));
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
