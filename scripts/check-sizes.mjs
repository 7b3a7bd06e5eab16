// Small files stay readable: a policy at most 120 lines, any source at most 300, a test at most 500.
import { execFileSync } from "node:child_process";
import fs from "node:fs";

const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" });
let tooLong = 0;
for (const file of tracked.split("\n")) {
  if (!/^(src|client|test|scripts|bench|bin|ui|plugin)\/.*\.(ts|tsx|mjs|cjs|c)$/.test(file) || file.endsWith(".gen.ts"))
    continue;
  if (!fs.existsSync(file)) continue;
  const limit = limitOf(file);
  const lines = fs.readFileSync(file, "utf8").split("\n").length - 1;
  if (lines <= limit) continue;
  tooLong++;
  console.error(`${file} has ${lines} lines, the limit is ${limit}: split it by meaning`);
}
process.exitCode = tooLong > 0 ? 1 : 0;

function limitOf(file) {
  if (/\.test\.tsx?$/.test(file)) return 500;
  if (/^src\/policies\//.test(file)) return 120;
  return file === "client/hook.c" ? 250 : 300;
}
