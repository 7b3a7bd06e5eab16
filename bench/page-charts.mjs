// Which numbers of a result are drawn.
import { barChart } from "./charts.mjs";
import { megabytes, milliseconds, times } from "./wording.mjs";

/** By file name without its ending; a section that was not measured has no chart. */
export function charts({ node, sections }) {
  const { start, peers, memory } = sections;
  return {
    ...(start ? { "one-event": startChart(node, start) } : {}),
    ...(peers ? { "other-hooks": peersChart(node, peers) } : {}),
    ...(memory ? { memory: memoryChart(memory) } : {}),
  };
}

function startChart(node, { rows, checks }) {
  return barChart({
    title: "One event, from starting the hook to its end",
    note: `Median on Node ${node}, in multiples of starting Node for nothing. The mark is the budget.`,
    bars: rows.map(({ name, ratio, median }) => ({
      label: name,
      value: ratio,
      text: `${times(ratio)} (${milliseconds(median)})`,
      isOwn: checks.some((one) => one.row === name),
      ...limitOf(checks, name),
    })),
  });
}

function limitOf(checks, name) {
  const budget = checks.find(({ row }) => row === name);
  return budget ? { limit: budget.limit } : {};
}

function peersChart(node, { rows }) {
  const measured = rows.filter((row) => !("skipped" in row)).sort((a, b) => a.median - b.median);
  return barChart({
    title: "What an agent waits for at one harmless command",
    note: `Median of one interleaved run on Node ${node}. Shorter is better.`,
    bars: measured.map(({ name, median, isOurs }) => ({
      label: name.replace(/ \(.*\)$/, ""),
      value: median,
      text: milliseconds(median),
      isOwn: isOurs,
    })),
  });
}

function memoryChart({ samples, checks }) {
  const { limit } = checks.find(({ measure }) => measure === "resident");
  return barChart({
    title: "Memory of one daemon after many events",
    note: "Resident memory as the system counts it. The mark is the budget.",
    bars: samples.map((sample) => ({
      label: `after ${sample.events.toLocaleString("en-US")} events`,
      value: sample.megabytes,
      text: megabytes(sample.megabytes),
      isOwn: true,
      limit,
    })),
  });
}
