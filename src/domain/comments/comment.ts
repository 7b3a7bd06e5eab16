export interface Comment {
  readonly kind: "line" | "block" | "docstring";
  /** Where it begins; the first line is 1. */
  readonly line: number;
  /** Without its marks. */
  readonly text: string;
  /** Nothing but blanks is before it in its line. */
  readonly isAlone: boolean;
}

/** What a scanner knows at the place that it looks at. */
export interface Place {
  readonly text: string;
  readonly at: number;
  /** The code before it, without comments and without the blanks at its end; at least its last word. */
  readonly before: string;
}

/** One kind of text that is no code. */
export interface Rule {
  /** `other`: a string, or a comment that nobody is told about. */
  readonly kind: Comment["kind"] | "other";
  /** Sticky. Matches the whole, or with `end` its beginning. */
  readonly begins: RegExp;
  readonly when?: (place: Place) => boolean;
  readonly end?: (text: string, at: number) => number;
}

export interface Syntax {
  /** The characters at which a rule may begin. */
  readonly starts: RegExp;
  /** The first one that fits counts. */
  readonly rules: readonly Rule[];
  /** Text in backticks may have code in `${…}`. */
  readonly hasTemplates?: true;
}

/** A line may be as long as the file; whoever looks at its beginning looks for blanks or for the end of a key. */
const MOST_BEFORE = 200;

/** The line up to this place; the end of that where it is long. */
export function lineBefore(text: string, at: number): string {
  const near = text.slice(Math.max(0, at - MOST_BEFORE), at);
  return near.slice(near.lastIndexOf("\n") + 1);
}
