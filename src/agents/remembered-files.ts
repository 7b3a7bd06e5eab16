const MOST_KNOWN = 200;

/** Gives the same array for the same key, so that callers can use the array as the key of a cache. */
export function rememberedFiles(): (
  key: readonly (string | undefined)[],
  list: () => readonly string[],
) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (key, list) => {
    const name = key.join("\0");
    const before = known.get(name);
    if (before) return before;
    const files = list();
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(name, files);
    return files;
  };
}
