/** A class such as `\p{L}` has hundreds of ranges, which take their time. */
const CLASS_SIZE = 20;

/**
 * About how large a pattern gets when its repetitions are written out. Counted before it is compiled, because
 * `(((x{9}){9}){9})` is short to write and long to compile. Rather too much than too little; what is no valid pattern
 * is found by compiling it.
 */
export function patternSize(source: string): number {
  /** What stands in each open group so far, and the last thing in it that a repetition would repeat. */
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
      // A sign such as `?` repeats what stands before it, but at most doubles it.
      const repeats = token === "?" || token === "*" || token === "+";
      if (repeats && group) group.size += 1;
      else add(1);
    }
  }
  return open.reduce((sum, { size }) => sum + size, 0);
}
