import { printable } from "../../config/printable.ts";
import { widthOf } from "./width.ts";
import { withoutColour } from "./wrap.ts";

/** Text styles; without effect unless the output is a terminal with colour. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

const paint =
  (isOn: boolean, code: number) =>
  (text: string): string =>
    isOn ? `\u001b[${code}m${text}\u001b[0m` : text;

export function styleFor(env: NodeJS.ProcessEnv, isTerminal: boolean): Style {
  const isOn = isTerminal && !env.NO_COLOR && env.TERM !== "dumb";
  return {
    bold: paint(isOn, 1),
    dim: paint(isOn, 2),
    red: paint(isOn, 31),
    green: paint(isOn, 32),
    yellow: paint(isOn, 33),
  };
}

/** Formats rows as a table. The last column is not padded. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, visible(cell));
  }
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell + pad(cell, index, row, widths))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function pad(cell: string, index: number, row: readonly string[], widths: readonly number[]): string {
  return index === row.length - 1 ? "" : " ".repeat((widths[index] ?? 0) - visible(cell));
}

function visible(text: string): number {
  return widthOf(withoutColour(text));
}

const LONGEST_LINE = 2_000;

/** Indents every line and escapes control characters. */
export function indented(text: string, by: number): string {
  return text
    .split("\n")
    .map((line) => " ".repeat(by) + printable(line, LONGEST_LINE))
    .join("\n");
}
