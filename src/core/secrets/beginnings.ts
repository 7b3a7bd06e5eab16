/**
 * One look at a text for many patterns at once, for texts that nearly always hold none of them. Every three characters
 * in a row are looked up in a table; only where a pattern may begin is it tried. That takes a tenth of the time of the
 * patterns joined into one.
 *
 * Every pattern begins with three characters, each of them plain, escaped or a class of ASCII characters.
 */
export function searchFor(patterns: readonly string[], flags: "" | "i" = ""): (text: string) => boolean {
  const mayBegin = new Uint8Array(TABLE);
  const classes = new Map<string, readonly number[]>();
  for (const pattern of patterns) {
    const [first, second, third] = (pattern.match(CHARACTER) ?? []).map((one) => charactersOf(one, flags, classes));
    for (const a of first ?? [])
      for (const b of second ?? []) for (const c of third ?? []) mayBegin[place(a, b, c)] = 1;
  }
  const begins = new RegExp(patterns.join("|"), `y${flags}`);
  return (text) => {
    const { length } = text;
    if (length < 3) return false;
    let a = text.charCodeAt(0);
    let b = text.charCodeAt(1);
    for (let i = 2; i < length; i++) {
      const c = text.charCodeAt(i);
      if (mayBegin[place(a, b, c)] === 1) {
        begins.lastIndex = i - 2;
        if (begins.test(text)) return true;
      }
      a = b;
      b = c;
    }
    return false;
  };
}

const TABLE = 1 << 15;
const CHARACTER = /\[(?:\\.|[^\]])*\]|\\.|./g;

function place(a: number, b: number, c: number): number {
  return ((a * 31 + b) * 31 + c) & (TABLE - 1);
}

/** The codes of the characters that one piece of a pattern stands for. */
function charactersOf(piece: string, flags: string, classes: Map<string, readonly number[]>): readonly number[] {
  if (!piece.startsWith("[")) {
    const plain = piece.at(-1) ?? "";
    const both = flags === "i" ? [plain.toLowerCase(), plain.toUpperCase()] : [plain];
    return both.map((one) => one.charCodeAt(0));
  }
  let known = classes.get(piece);
  if (!known) {
    const one = new RegExp(piece, flags);
    known = Array.from({ length: 128 }, (_, code) => code).filter((code) => one.test(String.fromCharCode(code)));
    classes.set(piece, known);
  }
  return known;
}
