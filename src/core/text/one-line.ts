/** Text on one line, cut at the end of a word if it is longer than `most`. */
export function oneLine(text: string, most: number): string {
  // Only what can be shown is looked at; blanks that are collapsed may make room for a little more.
  const line = text
    .slice(0, most * 4)
    .replace(/\s+/g, " ")
    .trim();
  if (line.length <= most) return line;
  const cut = line.slice(0, most - 1);
  const end = cut.lastIndexOf(" ");
  return `${(end > most / 2 ? cut.slice(0, end) : cut).trimEnd()}…`;
}
