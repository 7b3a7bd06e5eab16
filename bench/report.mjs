// What a result says about the machine, and tables for people who watch the run.
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

const TABLES = {
  start: ({ rows }) => programTable(rows),
  agents: ({ rows, plugins }) =>
    [programTable(rows), columns(plugins, ["name", "median", "p10", "p90", "without", "ratio"])].join("\n"),
  peers: ({ rows }) => programTable(rows),
  "daemon-start": ({ cpu, cold, first, early }) =>
    [
      columns([cpu], ["name", "milliseconds", "base", "ratio"]),
      columns([cold, first, early], ["name", "runs", "median", "p10", "p90"]),
    ].join("\n"),
  overload: ({ answered, unanswered, opened, coldAtOnce }) =>
    [
      columns([labelled("hook", answered)], WAITS),
      `${unanswered} without an answer in time, ${opened} guards opened, at most ${coldAtOnce} cold processes at once`,
    ].join("\n"),
  engine: ({ rows }) => columns(rows, ["name", "median", "p10", "p90"]),
  paced: ({ decisions, rows }) => {
    const named = [
      ["decision", decisions],
      ["waited", rows],
    ].flatMap(([what, list]) => list.map((row) => ({ ...row, name: `${what}, ${row.name}` })));
    return columns(named, ["name", "events", "p50", "p99", "max"]);
  },
  growth: ({ policies, journal }) =>
    columns(
      [...named(`1 to ${policies.count} policies`, policies), ...named(`0 to ${journal.count} rows`, journal)],
      ["name", "from", "to", "ratio"],
    ),
  fleet: ({ fromDue, fromConnect, errors, late }) =>
    [
      columns([labelled("from when it was due", fromDue), labelled("from connect", fromConnect)], WAITS),
      `${errors} errors, ${late.count} sent more than ${late.overMs} ms late (at most ${late.max} ms)`,
    ].join("\n"),
  snapshot: ({ rows }) => columns(rows, ["name", "median", "p10", "p90", "status", "ratio"]),
  memory: ({ samples, eventsPerSecond, journalMegabytes }) =>
    [columns(samples, ["events", "megabytes"]), `${eventsPerSecond} events/s, journal ${journalMegabytes} MB`].join(
      "\n",
    ),
};
const WAITS = ["name", "events", "p50", "p99", "max"];
const named = (name, { rows }) => rows.map((row) => ({ ...row, name: `${name}, ${row.event}` }));
const labelled = (name, row) => ({ name, ...row });

export function sectionTables({ sections }) {
  const parts = Object.entries(sections).map(([name, section]) => `${name}\n${TABLES[name](section)}`);
  return parts.join("\n\n");
}

export function budgetTable({ sections }) {
  const rows = Object.values(sections).flatMap(({ checks }) =>
    checks.map(({ row, measure, value, limit, unit, ok, enforced }) => ({
      budget: row,
      measure,
      value: `${value} ${unit}`.trim(),
      limit: `<= ${limit} ${unit}`.trim(),
      kept: `${ok ? "ok" : "OVER"}${enforced ? "" : " (not enforced)"}`,
    })),
  );
  return columns(rows, ["budget", "measure", "value", "limit", "kept"]);
}

function programTable(rows) {
  const skipped = rows.filter((row) => "skipped" in row).map((row) => `${row.name}: not measured, ${row.skipped}`);
  const measured = rows.filter((row) => !("skipped" in row));
  return [columns(measured, ["name", "median", "p10", "p90", "ratio", "ratioP10"]), ...skipped].join("\n");
}

function columns(rows, keys) {
  const lines = [keys, ...rows.map((row) => keys.map((key) => String(row[key])))];
  const widths = keys.map((_, at) => Math.max(...lines.map((line) => line[at].length)));
  const pad = (cell, at) => (at === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[at]));
  return lines.map((line) => line.map(pad).join("  ").trimEnd()).join("\n");
}
