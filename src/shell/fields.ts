import type { Word } from "./command.ts";
import { afterHoles, type Holes, hasHole } from "./holes.ts";
import type { Parts } from "./syntax.ts";

const MAX_FIELDS = 1024;

/** Collects the pieces of one written word into the words it becomes. */
export class Fields {
  readonly #done: Word[] = [];
  readonly #holes: Holes;
  readonly #splits: boolean;
  #shape = "";
  #started = false;
  #unknown = false;
  #glob = false;
  #bracket = false;
  #many = false;

  /** @param splits whether blanks in values separate words and patterns match files */
  constructor(holes: Holes, splits: boolean) {
    this.#holes = holes;
    this.#splits = splits;
  }

  text(text: string, quoted: boolean): void {
    this.#started ||= quoted || text !== "";
    if (!quoted && this.#splits) this.#lookForPattern(text);
    if (hasHole(text)) {
      this.#unknown = true;
      this.#many ||= !quoted && this.#splits;
    }
    this.#shape += text;
  }

  /** What it begins with so far. */
  get begun(): string {
    return this.#shape;
  }

  /** A piece of which only the source is known. */
  unknown(source: string, many: boolean): void {
    this.#started = true;
    this.#unknown = true;
    this.#many ||= many && this.#splits;
    this.#shape += this.#holes.open(source);
  }

  pattern(source: string): void {
    this.#started = true;
    if (this.#splits) this.#glob = true;
    else this.#unknown = true;
    this.#shape += source;
  }

  /** A value outside quotes: blanks separate words, or the characters that the line chose instead. */
  split(value: string, separators = ""): void {
    if (!this.#splits) {
      this.text(value, true);
      return;
    }
    const pieces = separators === "" ? value.split(/[ \t\n]+/) : splitAt(value, separators);
    for (const [index, piece] of pieces.entries()) {
      if (index > 0 && this.#started) this.break();
      if (piece !== "") this.text(piece, false);
    }
  }

  break(): void {
    if (this.#splits) this.#push();
    else this.#shape += " ";
  }

  end(): readonly Word[] {
    if (this.#started) this.#push();
    if (this.#done.length <= MAX_FIELDS) return this.#done;
    return [{ text: this.#done[0]?.text ?? "", known: false, many: true }];
  }

  one(): Word {
    const [word] = this.end();
    return word ?? { text: "", known: true };
  }

  #push(): void {
    if (this.#done.length <= MAX_FIELDS) this.#done.push(this.#word());
    this.#shape = "";
    this.#started = false;
    this.#unknown = false;
    this.#glob = false;
    this.#bracket = false;
    this.#many = false;
  }

  #word(): Word {
    const shape = this.#shape;
    if (this.#glob) return { text: this.#holes.show(shape), known: false, glob: true, many: true, shape };
    if (!this.#unknown) return { text: shape, known: true };
    const text = this.#holes.show(shape);
    if (this.#many) return { text, known: false, many: true, shape };
    const tail = shape.includes("/") ? afterHoles(shape) : "";
    const slash = tail.lastIndexOf("/");
    return slash < 0 ? { text, known: false, shape } : { text, known: false, base: tail.slice(slash + 1), shape };
  }

  #lookForPattern(text: string): void {
    if (/[*?]/.test(text)) this.#glob = true;
    const open = this.#bracket ? 0 : text.indexOf("[");
    if (open < 0) return;
    if (text.indexOf("]", this.#bracket ? 0 : open + 1) >= 0) this.#glob = true;
    this.#bracket = true;
  }
}

function splitAt(value: string, separators: string): readonly string[] {
  const pieces = [""];
  for (const char of value) {
    if (separators.includes(char)) pieces.push("");
    else pieces[pieces.length - 1] += char;
  }
  return pieces;
}

/** In a word that looks like an assignment a tilde also counts after the equals sign. */
export function assignedTilde(parts: Parts, fields: Fields): Parts {
  const [first] = parts;
  if (first?.kind !== "text" || first.quoted || !first.text.includes("=")) return parts;
  const [, name, value] = /^([A-Za-z_]\w*=)(.*)$/s.exec(first.text) ?? [];
  if (name === undefined || value === undefined) return parts;
  if (parts.some((part) => part.kind === "text" && !part.quoted && part.text.includes(":~"))) fields.unknown("", false);
  if (!value.startsWith("~")) return parts;
  fields.text(name, false);
  return [{ ...first, text: value }, ...parts.slice(1)];
}
