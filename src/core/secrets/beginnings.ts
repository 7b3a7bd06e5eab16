/**
 * One look at a text for many patterns at once, for texts that nearly always hold none of them. Every two characters in
 * a row are looked up in a table, and of those that may begin a pattern the third as well; only where all three may is a
 * pattern tried. That takes a tenth of the time of the patterns joined into one. The tables are only worth making in a
 * process that stays.
 *
 * Every pattern begins with three characters, each of them plain, escaped or a class of ASCII characters.
 */
export function searchFor(patterns: readonly string[]): (text: string) => boolean {
  const joined = patterns.join("|");
  let anywhere: RegExp | undefined;
  let asked = 0;
  let search: ((text: string) => boolean) | undefined;
  return (text) => {
    if (search) return search(text);
    if (++asked > WORTH_IT) search = withTable(patterns, new RegExp(joined, "y"));
    anywhere ??= new RegExp(joined);
    return anywhere.test(text);
  };
}

const WORTH_IT = 50;

function withTable(patterns: readonly string[], begins: RegExp): (text: string) => boolean {
  const { pairs, triples } = tablesOf(patterns);
  const beginsIn = (text: string, from: number): boolean => {
    // As bytes, which takes half the time. What is no byte is cut to one, which at worst is one try too many.
    const last = bytes.write(from === 0 ? text : text.slice(from, from + AT_ONCE), "latin1") - 2;
    let a = bytes[0] as number;
    for (let i = 0; i < last; i++) {
      const b = bytes[i + 1] as number;
      if (has(pairs, pairAt(a, b)) && has(triples, tripleAt(a, b, bytes[i + 2] as number))) {
        begins.lastIndex = from + i;
        if (begins.test(text)) return true;
      }
      a = b;
    }
    return false;
  };
  return (text) => {
    for (let from = 0; from < text.length; from += AT_ONCE - 2) if (beginsIn(text, from)) return true;
    return false;
  };
}

const AT_ONCE = 4_096;
const bytes = Buffer.alloc(AT_ONCE);

/** A pattern that takes its letters as capitals too, among others that do not. */
export function anyCase(word: string): string {
  return word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

const CHARACTER = /\[(?:\\.|[^\]])*\]|\\.|./g;
const TWO_LETTERS = /^\[[a-z]{2}\]$/i;

/** A bit for each: as bytes they would fill the whole of a processor's first cache. */
interface Tables {
  readonly pairs: Uint32Array;
  readonly triples: Uint32Array;
}

function tablesOf(patterns: readonly string[]): Tables {
  const tables = { pairs: new Uint32Array((1 << 14) >>> 5), triples: new Uint32Array((1 << 15) >>> 5) };
  const classes = new Map<string, readonly number[]>();
  for (const pattern of patterns) {
    const pieces = pattern.match(CHARACTER)?.slice(0, 3) ?? [];
    const [first = [], second = [], third = []] = pieces.map((one) => charactersOf(one, classes));
    for (const a of first) {
      for (const b of second) {
        mark(tables.pairs, pairAt(a, b));
        for (const c of third) mark(tables.triples, tripleAt(a, b, c));
      }
    }
  }
  return tables;
}

function has(table: Uint32Array, at: number): boolean {
  return (((table[at >>> 5] as number) >>> (at & 31)) & 1) === 1;
}

function mark(table: Uint32Array, at: number): void {
  table[at >>> 5] = (table[at >>> 5] as number) | (1 << (at & 31));
}

function pairAt(a: number, b: number): number {
  return ((a & 127) << 7) | (b & 127);
}

/** Of few pairs, so that here capitals may count as small letters. */
function tripleAt(a: number, b: number, c: number): number {
  return ((a & 31) << 10) | ((b & 31) << 5) | (c & 31);
}

/** The codes of the characters that one piece of a pattern stands for. */
function charactersOf(piece: string, classes: Map<string, readonly number[]>): readonly number[] {
  if (!piece.startsWith("[")) return [piece.charCodeAt(piece.length - 1)];
  if (TWO_LETTERS.test(piece)) return [piece.charCodeAt(1), piece.charCodeAt(2)];
  let known = classes.get(piece);
  if (!known) {
    const one = new RegExp(piece);
    known = Array.from({ length: 128 }, (_, code) => code).filter((code) => one.test(String.fromCharCode(code)));
    classes.set(piece, known);
  }
  return known;
}
