import { linesOf, paragraphAt, type Span } from "./mask.ts";

/** Letters that a quotation mark inside a word stands between. Scripts without spaces are no reason to see a word. */
const LETTER = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]/u;
const OPENING = "“„‚‘«‹「『《";
const CLOSED_BY: Readonly<Record<string, string>> = {
  "“": "”",
  "„": "“”",
  "‚": "‘’",
  "‘": "’",
  "«": "»",
  "‹": "›",
  "»": "«",
  "›": "‹",
  "「": "」",
  "『": "』",
  "《": "》",
};
const MARKS = /["'“”„‚‘’«»‹›「」『』《》]/g;

export function blockQuoteSpans(text: string): Span[] {
  return linesOf(text)
    .filter((line) => /^\s*>/.test(line.text))
    .map(({ from, to }) => [from, to]);
}

/** What stands between quotation marks, in every form that is usual. */
export function quoteSpans(text: string): Span[] {
  const whole = wholeQuote(text);
  if (whole) return [whole];
  const spans: Span[] = [];
  const place = paragraphAt(text);
  let open: { readonly mark: string; readonly at: number }[] = [];
  let paragraph = 0;
  for (const { index, 0: mark } of text.matchAll(MARKS)) {
    const here = place(index);
    // A straight mark that was not closed in its paragraph is a sign for inches or an apostrophe.
    if (here !== paragraph) open = open.filter((one) => !isStraight(one.mark));
    paragraph = here;
    const opening = open.findLastIndex((one) => closes(one.mark, mark) && canClose(text, mark, index));
    if (opening >= 0) {
      spans.push([open[opening]?.at ?? index, index + 1]);
      open = open.slice(0, opening);
    } else if (canOpen(text, mark, index) && open.length < MOST_OPEN) {
      open.push({ mark, at: index });
    }
  }
  return spans;
}

/** Marks that are never closed must not make every later mark slow. */
const MOST_OPEN = 20;

function wholeQuote(text: string): Span | undefined {
  const inner = text.trim();
  const last = inner.replace(/[.!?\s]{1,5}$/, "").at(-1) ?? "";
  const first = inner.at(0) ?? "";
  const isQuoted = inner.length > 1 && (isStraight(first) ? first === last : closes(first, last));
  return isQuoted ? [0, text.length] : undefined;
}

const isStraight = (mark: string): boolean => mark === '"' || mark === "'";
const closes = (open: string, mark: string): boolean =>
  isStraight(open) ? open === mark : (CLOSED_BY[open] ?? "").includes(mark) && mark !== "";
const isLetter = (text: string, at: number): boolean => LETTER.test(text[at] ?? "");
const isBlank = (text: string, at: number): boolean => /^\s?$/.test(text[at] ?? "");

function canClose(text: string, mark: string, at: number): boolean {
  if (isStraight(mark)) return !isBlank(text, at - 1) && !isLetter(text, at + 1);
  return mark !== "’" || !isLetter(text, at + 1);
}

function canOpen(text: string, mark: string, at: number): boolean {
  if (isStraight(mark)) return !isLetter(text, at - 1) && !isBlank(text, at + 1);
  return OPENING.includes(mark) || ((mark === "»" || mark === "›") && !isBlank(text, at + 1));
}
