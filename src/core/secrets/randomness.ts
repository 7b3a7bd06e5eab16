/** One piece of an identifier, a slug or a version: letters in words, at most a number after them. */
const WORD = /^(?:(?:[A-Z]{0,6}[a-z]{2,}|[A-Z]{2,}|[A-Za-z])(?:[A-Z][a-z]+){0,8}\d{0,4}|v?\d{1,8})$/;

const HEXADECIMAL = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{32,}$/;

/** Shannon's measure, in bits for each character. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

function classOf(code: number): number {
  if (code >= 97 && code <= 122) return 1;
  if (code >= 65 && code <= 90) return 2;
  if (code >= 48 && code <= 57) return 4;
  return 8;
}

/**
 * Whether a value looks made by chance, as a key or a good password does, and not like a name, a path or a word.
 * Asked only of a value that stands beside a word such as `password`.
 */
export function looksRandom(value: string): boolean {
  if (value.length < 8) return false;
  if (value.split(/[-_./:@\s]+/).every((piece) => piece === "" || WORD.test(piece))) return false;
  if (HEXADECIMAL.test(value)) return entropy(value) >= 2.8;
  let classes = 0;
  let changes = 0;
  let before = 0;
  for (let at = 0; at < value.length; at++) {
    const own = classOf(value.charCodeAt(at));
    classes |= own;
    if (before !== 0 && own !== before) changes++;
    before = own;
  }
  const kinds = [1, 2, 4, 8].filter((one) => classes & one).length;
  if (kinds < 2) return false;
  const isChanging = changes / (value.length - 1) >= (value.length >= 16 ? 0.2 : 0.25);
  if (value.length < 16) return kinds >= 3 && isChanging && entropy(value) >= 2.5;
  return isChanging && (classes & 4) !== 0 && entropy(value) >= 3;
}
