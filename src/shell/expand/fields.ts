import type { Word } from "../command.ts";
import type { Parts } from "../parse/syntax.ts";
import { afterPlaceholders, hasPlaceholder, type Placeholders } from "../placeholders.ts";
import { isFresh } from "./temporary-names.ts";
import { type Env, lookUp, UNKNOWN } from "./variables.ts";

const MAX_FIELDS = 1024;

/** Collects the expanded parts of one word of the source, and splits them into the words that result. */
export class Fields {
  readonly #done: Word[] = [];
  readonly #placeholders: Placeholders;
  readonly #splits: boolean;
  #shape = "";
  /** The word with the defaults of its variables; undefined as soon as one has none. */
  #defaultText: string | undefined = "";
  #started = false;
  #unknown = false;
  #glob = false;
  #bracket = false;
  #many = false;
  #fresh = false;

  /** @param splits whether values are split into words, and patterns are matched against files */
  constructor(placeholders: Placeholders, splits: boolean) {
    this.#placeholders = placeholders;
    this.#splits = splits;
  }

  text(text: string, quoted: boolean): void {
    this.#started ||= quoted || text !== "";
    if (!quoted && this.#splits) this.#lookForPattern(text);
    if (hasPlaceholder(text)) {
      this.#unknown = true;
      this.#many ||= !quoted && this.#splits;
      this.#defaultText = undefined;
    }
    this.#put(text, text);
  }

  /** The word as far as it is collected. */
  get prefix(): string {
    return this.#shape;
  }

  /** An unknown part by its source, with its value unless somebody has set the variable. */
  unknown(source: string, many: boolean, defaultText?: string): void {
    this.#started = true;
    this.#unknown = true;
    this.#many ||= many && this.#splits;
    this.#fresh ||= isFresh(source);
    this.#put(this.#placeholders.placeholderFor(source), defaultText);
  }

  /** An unknown name that no existing file has. It is made of digits and letters, so it is not split. */
  fresh(shape: string): void {
    this.text(shape, true);
    this.#fresh = true;
  }

  pattern(source: string): void {
    this.#started = true;
    if (this.#splits) this.#glob = true;
    else this.#unknown = true;
    this.#put(source, this.#splits ? source : undefined);
  }

  #put(shape: string, defaultText: string | undefined): void {
    this.#shape += shape;
    this.#defaultText =
      defaultText === undefined || this.#defaultText === undefined ? undefined : this.#defaultText + defaultText;
  }

  /** An unquoted value, split at blanks or at the separators that the line has assigned to IFS. */
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
    else this.#put(" ", " ");
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
    this.#defaultText = "";
    this.#started = false;
    this.#unknown = false;
    this.#glob = false;
    this.#bracket = false;
    this.#many = false;
    this.#fresh = false;
  }

  #word(): Word {
    const shape = this.#shape;
    // An empty quoted word is a word.
    const isWord = this.#many || this.#defaultText !== "";
    const defaultText =
      this.#unknown && this.#defaultText !== undefined && isWord ? { defaultText: this.#defaultText } : {};
    if (this.#glob)
      return { text: this.#placeholders.toSource(shape), known: false, glob: true, many: true, shape, ...defaultText };
    if (!this.#unknown) return { text: shape, known: true };
    const text = this.#placeholders.toSource(shape);
    const fresh = this.#fresh ? { fresh: true as const } : {};
    if (this.#many) return { text, known: false, many: true, shape, ...defaultText, ...fresh };
    const tail = shape.includes("/") ? afterPlaceholders(shape) : "";
    const slash = tail.lastIndexOf("/");
    const base = slash < 0 ? {} : { base: tail.slice(slash + 1) };
    return { text, known: false, ...base, shape, ...defaultText, ...fresh };
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

/** Splits a line as `read` does: at the separators, blanks together as one; the last variable takes the rest. */
export function splitForRead(line: string, count: number, separators: string): readonly string[] {
  if (separators === "") return [line, ...Array<string>(count - 1).fill("")];
  const inClass = (chars: string) => chars.replace(/[\\\]^-]/g, "\\$&");
  const blank = `[${inClass(separators.replace(/[^ \t\n]/g, ""))}]*`;
  const other = `[${inClass(separators.replace(/[ \t\n]/g, ""))}]?`;
  const first = new RegExp(`^([^${inClass(separators)}]*)${blank}${other}${blank}`);
  let rest = line.replace(new RegExp(`^${blank}`), "").replace(new RegExp(`${blank}$`), "");
  return Array.from({ length: count }, (_, index) => {
    if (index === count - 1) return rest;
    const [all = "", text = ""] = first.exec(rest) ?? [];
    rest = rest.slice(all.length);
    return text;
  });
}

/** In a word such as `dir=~/x` the tilde after the equals sign is expanded as well. */
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

/** Expands a tilde at the beginning of a word: `~` is the home folder, `~+` the current one. */
export function homeTilde(parts: Parts, fields: Fields, env: Env): Parts {
  const first = parts[0];
  if (first?.kind !== "text" || first.quoted || !first.text.startsWith("~")) return parts;
  const rest = parts.slice(1);
  const slash = first.text.indexOf("/");
  if (slash < 0 && rest.length > 0) {
    if (rest.every((part) => part.kind === "text" && part.quoted)) return parts;
    fields.unknown("", false);
    return parts;
  }
  const name = slash < 0 ? first.text : first.text.slice(0, slash);
  const value = name === "~" ? lookUp(env, "HOME") : name === "~+" ? lookUp(env, "PWD") : UNKNOWN;
  if (value.kind === "text") fields.text(value.text, true);
  else fields.unknown(name, false);
  return [{ ...first, text: first.text.slice(name.length) }, ...rest];
}
