// A suite of tests that came with a hook: how many cases it had, and the files with their counterparts.
import path from "node:path";
import { casesIn, samplesIn } from "../count-cases.mjs";
import { code } from "../markdown.mjs";

export const SUITE_HEAD = ["hook", "cases there", "counterparts", "cases here"];

/** Refused when there are fewer cases here. */
export function suiteCells({ hook, cases, files, samples = [] }, where) {
  const counted = [...files.map((file) => [file, casesIn(file)]), ...samples.map((file) => [file, samplesIn(file)])];
  const total = counted.reduce((sum, [, count]) => sum + count, 0);
  if (total < cases)
    throw new Error(`${where}: the suite of ${hook} had ${cases} cases, its counterparts are ${total}`);
  const links = counted.map(([file, count]) => `[${path.basename(file)}](../../${file}): ${count}`);
  return [code(hook), String(cases), links.join("; "), String(total)];
}
