import type { Word } from "./command.ts";

const MAX_FIELDS = 1024;

/** Collects the pieces of one written word into the words it becomes. */
export class Fields {
  readonly #done: Word[] = [];
  readonly #placeholders: readonly string[];
  readonly #splits: boolean;
  #text = "";
  /** Known text since the last unknown piece. */
  #tail = "";
  #known = true;
  #started = false;
  #glob = false;
  #bracket = false;
  #many = false;

  /** @param splits whether blanks in values separate words and patterns match files */
  constructor(placeholders: readonly string[], splits: boolean) {
    this.#placeholders = placeholders;
    this.#splits = splits;
  }

  text(text: string, quoted: boolean): void {
    if (this.#placeholders.some((placeholder) => text.includes(placeholder))) {
      this.unknown(text, !quoted);
      return;
    }
    this.#started ||= quoted || text !== "";
    if (!quoted && this.#splits) this.#lookForPattern(text);
    this.#text += text;
    this.#tail += text;
  }

  /** A piece of which only the source is known. */
  unknown(source: string, many: boolean): void {
    this.#started = true;
    this.#known = false;
    this.#tail = "";
    this.#text += source;
    this.#many ||= many && this.#splits;
  }

  pattern(source: string): void {
    if (this.#splits) this.#glob = true;
    this.#started = true;
    this.#text += source;
    this.#tail += source;
    if (!this.#splits) this.#known = false;
  }

  /** A value outside quotes: blanks separate words. */
  split(value: string): void {
    if (!this.#splits) {
      this.text(value, true);
      return;
    }
    const pieces = value.split(/[ \t\n]+/);
    for (const [index, piece] of pieces.entries()) {
      if (index > 0 && this.#started) this.break();
      if (piece !== "") this.text(piece, false);
    }
  }

  break(): void {
    if (!this.#splits) {
      this.#text += " ";
      this.#tail += " ";
      return;
    }
    this.#push();
  }

  end(): readonly Word[] {
    if (this.#started) this.#push();
    if (this.#done.length <= MAX_FIELDS) return this.#done;
    return [{ text: this.#done[0]?.text ?? "", known: false, many: true }];
  }

  one(): Word {
    const [word] = this.#started ? (this.#push(), this.#done) : [];
    return word ?? { text: "", known: true };
  }

  #push(): void {
    const known = this.#known && !this.#glob;
    const slash = this.#tail.lastIndexOf("/");
    const word: Word = {
      text: this.#text,
      known,
      ...(this.#glob && { glob: true }),
      ...((this.#many || this.#glob) && { many: true }),
      ...(!known && !this.#many && !this.#glob && slash >= 0 && { base: this.#tail.slice(slash + 1) }),
    };
    if (this.#done.length <= MAX_FIELDS) this.#done.push(word);
    this.#text = "";
    this.#tail = "";
    this.#known = true;
    this.#started = false;
    this.#glob = false;
    this.#bracket = false;
    this.#many = false;
  }

  #lookForPattern(text: string): void {
    if (/[*?]/.test(text)) this.#glob = true;
    const open = this.#bracket ? 0 : text.indexOf("[");
    if (open < 0) return;
    if (text.indexOf("]", this.#bracket ? 0 : open + 1) >= 0) this.#glob = true;
    this.#bracket = true;
  }
}
