/**
 * Unknown pieces inside a known text. `bash -c "rm -rf $DIR/build"` is a script with one word that nobody knows, and
 * the rest of it matters. Each such piece is written as one character of a private range, so that the text can be read
 * as a script and every word with a hole in it is seen to be unknown.
 */
const FIRST = 0xf000;
const COUNT = 255;
const LAST = String.fromCharCode(FIRST + COUNT - 1);
/** Of what is put into one script. */
const MAX_FILLED = 64 * 1024;

/** Whatever xargs, find or parallel will put in. */
export const PLACEHOLDER = "\uf0ff";

export class Placeholders {
  readonly #sources: string[] = [];
  readonly #characters = new Map<string, string>();
  readonly #meanings = new Map<string, string>();
  #carried = 0;

  /** A character that stands for this piece of source. */
  open(source: string): string {
    const again = this.#characters.get(source);
    if (again !== undefined) return again;
    if (this.#sources.length >= COUNT - 1) return LAST;
    this.#sources.push(source);
    const character = String.fromCharCode(FIRST + this.#sources.length - 1);
    this.#characters.set(source, character);
    return character;
  }

  /** What a piece may turn out to be when it is run as a script. */
  mean(source: string, text: string): void {
    this.#meanings.set(source, text);
  }

  /** A variable that is given such a piece may turn out to be the same. */
  carry(name: string, shape: string | undefined): void {
    if (this.#meanings.size === 0) return;
    const filled = shape === undefined || this.#carried > MAX_FILLED ? shape : this.filled(shape);
    this.#carried += filled === shape ? 0 : (filled?.length ?? 0);
    for (const source of [`$${name}`, `\${${name}}`])
      if (filled === undefined || filled === shape) this.#meanings.delete(source);
      else this.#meanings.set(source, filled);
  }

  /** A script with those pieces put in. */
  filled(shape: string): string {
    if (this.#meanings.size === 0 || !hasPlaceholder(shape)) return shape;
    let length = 0;
    return shape.replace(/[\uf000-\uf0fe]/g, (hole) => {
      const text = this.#meanings.get(this.#sources[hole.charCodeAt(0) - FIRST] ?? "");
      length += text?.length ?? 0;
      return text === undefined || length > MAX_FILLED ? hole : text;
    });
  }

  /** The text for people, with every piece as it was written. */
  show(shape: string): string {
    if (!hasPlaceholder(shape)) return shape;
    return shape.replace(/[\uf000-\uf0ff]/g, (hole) =>
      hole === PLACEHOLDER ? "{}" : (this.#sources[hole.charCodeAt(0) - FIRST] ?? "…"),
    );
  }
}

export function hasPlaceholder(text: string): boolean {
  return /[\uf000-\uf0ff]/.test(text);
}

/** What follows the last unknown piece. */
export function afterPlaceholders(shape: string): string {
  let start = shape.length;
  while (start > 0 && !hasPlaceholder(shape[start - 1] ?? "")) start--;
  return shape.slice(start);
}

/** Unknown pieces, each run of them as one. */
export const PLACEHOLDERS = /[\uf000-\uf0ff]+/g;

/** Nothing of it is known. */
export function isPlaceholderOnly(text: string): boolean {
  return /^[\uf000-\uf0ff]+$/.test(text);
}
