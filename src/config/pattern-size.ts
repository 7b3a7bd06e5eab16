/** The size of a class such as `\p{L}`, which has hundreds of ranges. */
const CLASS_SIZE = 20;

/**
 * An upper estimate of a pattern's size with its repetitions written out. Computed before compiling, because
 * `(((x{9}){9}){9})` is short but slow to compile. Invalid patterns are found later, by compiling.
 */
export function patternSize(source: string): number {
  /** For each open group: its size so far, and the size of its last item, which a repetition would repeat. */
  const open = [{ size: 0, last: 0 }];
  const add = (size: number): void => {
    const group = open.at(-1);
    if (group) Object.assign(group, { size: group.size + size, last: size });
  };
  const tokens =
    /\\[pP](?:\{[^}]*\}|.)|\\x\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\[:\w+:\]|\\[\s\S]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|[\s\S]/g;
  for (const [token, least, most] of source.matchAll(tokens)) {
    const group = open.at(-1);
    if (least !== undefined && group) {
      const times = Math.max(1, Number(least), Number(most ?? 0));
      group.size += group.last * (times - 1);
      group.last *= times;
    } else if (token === "(") {
      open.push({ size: 2, last: 0 });
    } else if (token === ")" && open.length > 1) {
      add(open.pop()?.size ?? 0);
    } else if (token.startsWith("[") || /^\\[pP]/.test(token)) {
      add(/\\[pP]/.test(token) ? CLASS_SIZE * token.split(/\\[pP]/).length : 1);
    } else {
      // `?`, `*` and `+` repeat the item before them, but add little to the compiled size.
      const repeats = token === "?" || token === "*" || token === "+";
      if (repeats && group) group.size += 1;
      else add(1);
    }
  }
  return open.reduce((sum, { size }) => sum + size, 0);
}
