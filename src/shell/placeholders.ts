/**
 * Placeholders for the unknown parts of a text. `bash -c "rm -rf $DIR/build"` is a script with one unknown part, and
 * its other parts matter. Each unknown part becomes one character of a private range, so that the text can be parsed as
 * a script, and every word with a placeholder is unknown.
 */
const FIRST = 0xf000;
const COUNT = 255;
const LAST = String.fromCharCode(FIRST + COUNT - 1);
/** Of the values inserted into one script. */
const MAX_INSERTED = 64 * 1024;

/** The placeholder for text that has no source on the line, such as what xargs, find or parallel insert. */
export const PLACEHOLDER = "\uf0ff";

export class Placeholders {
  readonly #sources: string[] = [];
  readonly #characters = new Map<string, string>();
  readonly #possible = new Map<string, string>();
  #assigned = 0;

  /** The placeholder of an unknown part, given by its source. */
  placeholderFor(source: string): string {
    const again = this.#characters.get(source);
    if (again !== undefined) return again;
    if (this.#sources.length >= COUNT - 1) return LAST;
    this.#sources.push(source);
    const character = String.fromCharCode(FIRST + this.#sources.length - 1);
    this.#characters.set(source, character);
    return character;
  }

  /** Records a possible value of an unknown part, for the case that it is run as a script. */
  setPossible(source: string, text: string): void {
    this.#possible.set(source, text);
  }

  /** Records the possible value of a variable that is assigned a text with such parts. */
  assign(name: string, shape: string | undefined): void {
    if (this.#possible.size === 0) return;
    const value = shape === undefined || this.#assigned > MAX_INSERTED ? shape : this.withPossible(shape);
    this.#assigned += value === shape ? 0 : (value?.length ?? 0);
    for (const source of [`$${name}`, `\${${name}}`])
      if (value === undefined || value === shape) this.#possible.delete(source);
      else this.#possible.set(source, value);
  }

  /** A script with possible values instead of placeholders. */
  withPossible(shape: string): string {
    if (this.#possible.size === 0 || !hasPlaceholder(shape)) return shape;
    let length = 0;
    return shape.replace(/[\uf000-\uf0fe]/g, (placeholder) => {
      const text = this.#possible.get(this.#sources[placeholder.charCodeAt(0) - FIRST] ?? "");
      length += text?.length ?? 0;
      return text === undefined || length > MAX_INSERTED ? placeholder : text;
    });
  }

  /** The source text, with the source of each unknown part. */
  toSource(shape: string): string {
    if (!hasPlaceholder(shape)) return shape;
    return shape.replace(/[\uf000-\uf0ff]/g, (placeholder) =>
      placeholder === PLACEHOLDER ? "{}" : (this.#sources[placeholder.charCodeAt(0) - FIRST] ?? "…"),
    );
  }
}

export function hasPlaceholder(text: string): boolean {
  return /[\uf000-\uf0ff]/.test(text);
}

/** The text after the last placeholder. */
export function afterPlaceholders(shape: string): string {
  let start = shape.length;
  while (start > 0 && !hasPlaceholder(shape[start - 1] ?? "")) start--;
  return shape.slice(start);
}

/** Each run of placeholders. */
export const PLACEHOLDERS = /[\uf000-\uf0ff]+/g;

/** Whether a text consists of placeholders. */
export function isPlaceholderOnly(text: string): boolean {
  return /^[\uf000-\uf0ff]+$/.test(text);
}
