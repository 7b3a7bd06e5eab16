/** ` Did you mean …?`, or nothing when no known name is close. */
export function nearestName(given: string, known: readonly string[]): string {
  const limit = Math.max(2, Math.floor(given.length / 3));
  const [best] = known
    .map((name) => ({ name, distance: editDistance(given.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  // A name in which every letter differs is not near.
  return best && best.distance <= limit && best.distance < best.name.length ? ` Did you mean \`${best.name}\`?` : "";
}

/** How many letters have to be added, left out or replaced. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, swap));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
