// Checks sizes: a policy has at most 120 lines, any other source 300, a test 500, and a folder 20 sources.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const MOST_IN_FOLDER = 20;
const SOURCE = /^(src|client|test|scripts|bench|bin|ui|plugin)\/.*\.(ts|tsx|mjs|cjs|c)$/;
/** Tests and their data, which lie beside a source. */
const BESIDE = /\.(test|samples)\.tsx?$/;

const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" });
const sources = tracked
  .split("\n")
  .filter((file) => SOURCE.test(file) && !/\.gen\.ts$/.test(file) && fs.existsSync(file));
const problems = [];
for (const file of sources) {
  const lines = fs.readFileSync(file, "utf8").split("\n").length - 1;
  const limit = limitOf(file);
  if (lines > limit) problems.push(`${file} has ${lines} lines, the limit is ${limit}: split it by meaning`);
}
const folders = new Map();
for (const file of sources.filter((file) => !BESIDE.test(file))) {
  const folder = path.dirname(file);
  folders.set(folder, (folders.get(folder) ?? 0) + 1);
}
for (const [folder, count] of folders) {
  if (count <= MOST_IN_FOLDER) continue;
  problems.push(`${folder} holds ${count} sources, the limit is ${MOST_IN_FOLDER}: give some a folder of their own`);
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

function limitOf(file) {
  if (/\.test\.tsx?$/.test(file)) return 500;
  if (/^src\/policies\//.test(file)) return 120;
  return file === "client/hook.c" ? 250 : 300;
}
