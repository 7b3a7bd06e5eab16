// What a result says about the machine, and the table for people.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** Version and abilities of the Node under test. */
export function describeNode(node) {
  const script = "[process.version, require('node:module').isBuiltin('node:sqlite')]";
  const env = { PATH: process.env.PATH ?? "" };
  const [version, hasSqlite] = JSON.parse(
    execFileSync(node, ["-p", `JSON.stringify(${script})`], { env, encoding: "utf8" }),
  );
  return { version, hasSqlite, major: Number(version.slice(1).split(".")[0]) };
}

export function describeMachine(root, nodeVersion) {
  const cpus = os.cpus();
  return {
    at: new Date().toISOString(),
    machine: { cpu: cpus[0]?.model ?? "unknown", cores: cpus.length, memoryMB: Math.round(os.totalmem() / 2 ** 20) },
    kernel: `${os.type()} ${os.release()}`,
    node: nodeVersion,
    hookwright: JSON.parse(fs.readFileSync(path.join(root, "dist/build.json"), "utf8")),
  };
}

export function table(rows) {
  const lines = rows.map((row) => [
    row.name,
    ...[row.median, row.p10, row.p90].map((ms) => ms.toFixed(ms < 1 ? 3 : 2)),
    row.ratio.toFixed(3),
    row.ratioP10.toFixed(3),
    row.budget === null ? "" : row.budget.ms === undefined ? `<= ${row.budget.ratio}` : `<= ${row.budget.ms} ms`,
    row.budget === null ? "" : `${row.ok ? "ok" : "OVER"}${row.enforced ? "" : " (not enforced)"}`,
  ]);
  const all = [["", "median ms", "p10", "p90", "ratio", "of p10s", "budget", ""], ...lines];
  const widths = all[0].map((_, column) => Math.max(...all.map((line) => line[column].length)));
  const pad = (cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]));
  return all.map((line) => line.map(pad).join("  ").trimEnd()).join("\n");
}
