// How numbers are written for people.

/** Three digits are all that such a measurement is good for. */
export function milliseconds(value) {
  return `${value < 1 ? value.toFixed(2) : value.toPrecision(3)} ms`;
}

export function times(value) {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(1)} x`;
}

export function megabytes(value) {
  return `${value.toLocaleString("en-US")} MB`;
}

/** @param {string[]} heads @param {string[][]} rows the first column is text, the others are numbers */
export function markdownTable(heads, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const rule = heads.map((_, at) => (at === 0 ? "---" : "---:"));
  return [line(heads), line(rule), ...rows.map((row) => line(row.map((cell) => cell.replaceAll("|", "\\|"))))].join(
    "\n",
  );
}
