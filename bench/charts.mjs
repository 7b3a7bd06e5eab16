// Bar charts as SVG, drawn by hand so that a page needs no script and no font. Each brings its own background: a picture
// does not know whether the page around it is light or dark, only what the reader's system prefers.

const WIDTH = 760;
const LABELS = 318;
const NUMBERS = 92;
const ROW = 30;
const BAR = 18;
const TOP = 62;
const BOTTOM = 18;

const STYLE = `
    .page { fill: #ffffff; stroke: #d0d7de; }
    text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
    .title { font-size: 15px; font-weight: 600; }
    .note { font-size: 12px; fill: #57606a; }
    .own { fill: #1a7f5a; }
    .other { fill: #8c959f; }
    .limit { stroke: #b35900; stroke-width: 2; }
    @media (prefers-color-scheme: dark) {
      .page { fill: #0d1117; stroke: #30363d; }
      text { fill: #e6edf3; }
      .note { fill: #9da7b1; }
      .own { fill: #3fb984; }
      .other { fill: #6e7681; }
      .limit { stroke: #f0a04b; }
    }`;

/**
 * @typedef {object} Bar
 * @property {string} label
 * @property {number} value
 * @property {string} text the number as it is written beside the bar
 * @property {boolean} isOwn
 * @property {number} [limit] drawn as a mark across the bar
 */

/**
 * Linear and from zero, so that twice the length is twice the number.
 * @param {{ title: string, note: string, bars: Bar[] }} chart
 */
export function barChart({ title, note, bars }) {
  const height = TOP + bars.length * ROW + BOTTOM;
  const most = Math.max(...bars.flatMap(({ value, limit }) => [value, limit ?? 0]));
  const scale = (WIDTH - LABELS - NUMBERS) / most;
  const described = `${title}. ${bars.map(({ label, text }) => `${label}: ${text}`).join("; ")}.`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" role="img">`,
    `  <title>${escaped(title)}</title>`,
    `  <desc>${escaped(described)}</desc>`,
    `  <style>${STYLE}\n  </style>`,
    `  <rect class="page" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>`,
    `  <text class="title" x="16" y="28">${escaped(title)}</text>`,
    `  <text class="note" x="16" y="48">${escaped(note)}</text>`,
    ...bars.flatMap((bar, index) => drawn(bar, TOP + index * ROW, scale)),
    "</svg>",
    "",
  ].join("\n");
}

function drawn({ label, value, text, isOwn, limit }, y, scale) {
  const length = Math.max(2, value * scale);
  const middle = y + BAR - 4;
  const isBeyond = limit !== undefined && limit * scale > length;
  // The number stands behind whatever reaches further, the bar or its mark.
  const end = LABELS + (isBeyond ? limit * scale : length) + 8;
  const lines = [
    `  <text x="${LABELS - 10}" y="${middle}" text-anchor="end">${escaped(label)}</text>`,
    `  <rect class="${isOwn ? "own" : "other"}" x="${LABELS}" y="${y}" width="${fixed(length)}" height="${BAR}" rx="2"/>`,
    `  <text x="${fixed(end)}" y="${middle}">${escaped(text)}</text>`,
  ];
  if (limit !== undefined) {
    const x = fixed(LABELS + limit * scale);
    lines.push(`  <line class="limit" x1="${x}" y1="${y - 3}" x2="${x}" y2="${y + BAR + 3}"/>`);
  }
  return lines;
}

function fixed(value) {
  return Number(value.toFixed(1));
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
