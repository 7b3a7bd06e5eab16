/**
 * Writes docs/performance.md and its charts from bench/results/, or with --check fails when they do not say what the
 * results say. Measures nothing.
 */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { performancePage } from "./page.mjs";
import { charts } from "./page-charts.mjs";
import { readResults } from "./results.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const isCheck = process.argv.includes("--check");
const results = readResults(path.join(root, "bench/results"));
if (results.length === 0) {
  // Nothing was measured, so there is nothing the page could say wrongly.
  if (isCheck && !fs.existsSync(path.join(root, "docs/performance.md"))) process.exit(0);
  throw new Error("there are no results: run `npm run bench -- --publish`");
}
/** The one that says most. */
const reference = results.reduce((most, one) => (sectionsOf(one) > sectionsOf(most) ? one : most));

const files = { "docs/performance.md": performancePage(reference, results) };
for (const [name, text] of Object.entries(charts(reference))) files[`docs/performance/${name}.svg`] = text;
let stale = 0;
for (const [file, text] of Object.entries(files)) {
  const full = path.join(root, file);
  if (fs.existsSync(full) && fs.readFileSync(full, "utf8") === text) continue;
  stale++;
  if (isCheck) console.error(`${file} is out of date: run \`node bench/document.mjs\``);
  else {
    fs.mkdirSync(path.dirname(full), { recursive: true });
    fs.writeFileSync(full, text);
    console.log(`wrote ${file}`);
  }
}
process.exitCode = isCheck && stale > 0 ? 1 : 0;

function sectionsOf({ sections }) {
  return Object.keys(sections).length;
}
