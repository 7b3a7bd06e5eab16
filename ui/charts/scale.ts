/** Round steps for an axis that reaches at least `most`. */
export function ticks(most: number, wanted = 4): readonly number[] {
  if (!(most > 0)) return [0, 1];
  const rough = most / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const count = Math.ceil(most / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** Half pixels make lines sharp, and more digits would only make the document longer. */
export function pixel(value: number): number {
  return Math.round(value * 2) / 2;
}
