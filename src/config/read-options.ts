import * as z from "zod";
import type { PolicyMode } from "../core/settings/config.ts";
import { nearestName } from "../core/text/nearest-name.ts";
import type { FileReport } from "./file-report.ts";
import { printable, printableValue } from "./printable.ts";
import type { KeyPath } from "./read-yaml.ts";
import { innerOf } from "./tighten.ts";

export const MODES = ["off", "observe", "enforce"] as const satisfies readonly PolicyMode[];

/** A longer name is not a misspelling of a known one, and comparing it would be slow. */
const LONGEST_NAME = 100;

/** Reads only the options that are in the file, without defaults, which would override an earlier file. */
export function readGivenOptions(
  schema: z.ZodObject,
  given: Readonly<Record<string, unknown>>,
  path: KeyPath,
  report: FileReport,
  alsoKnown: readonly string[] = [],
): Record<string, unknown> {
  const names = Object.keys(schema.shape);
  const known = Object.entries(given).filter(([key]) => names.includes(key));
  for (const key of Object.keys(given)) {
    if (names.includes(key) || alsoKnown.includes(key)) continue;
    report.mistake(
      [...path, key],
      () => `\`${printable(key)}\` is not an option here.${nearest(key, [...names, ...alsoKnown])}`,
      "key",
    );
  }
  const parsed = schema.safeParse(Object.fromEntries(known));
  const data = (parsed.data ?? {}) as Record<string, unknown>;
  if (parsed.success) return Object.fromEntries(known.map(([key]) => [key, data[key]]));
  for (const issue of parsed.error.issues) {
    const inside = issue.path.filter((part) => typeof part !== "symbol");
    if (issue.code === "unrecognized_keys") reportUnknownKeys(schema, issue.keys, path, inside, report);
    else report.mistake([...path, ...inside], () => issueText(issue, known, inside));
  }
  return Object.fromEntries(
    known.flatMap(([key, value]) => {
      const alone = (schema.shape[key] as z.ZodType).safeParse(value);
      return alone.success ? [[key, alone.data]] : [];
    }),
  );
}

/** Keys inside of an option that is an object itself. */
function reportUnknownKeys(
  schema: z.ZodObject,
  keys: readonly string[],
  path: KeyPath,
  inside: KeyPath,
  report: FileReport,
): void {
  for (const key of keys) {
    const full = [...inside, key];
    const text = (): string =>
      `\`${printable(full.join("."))}\` is not an option here.${nearest(key, namesInside(schema, inside))}`;
    report.mistake([...path, ...full], text, "key");
  }
}

function namesInside(schema: z.ZodObject, path: KeyPath): readonly string[] {
  let at: z.ZodObject | undefined = schema;
  for (const part of path) at = objectIn(at?.shape[part]);
  return Object.keys(at?.shape ?? {});
}

/** Optional types and types with a default value wrap the type itself. */
function objectIn(type: z.core.$ZodType | undefined): z.ZodObject | undefined {
  let at = type;
  while (at !== undefined && !(at instanceof z.ZodObject)) at = innerOf(at);
  return at;
}

function issueText(issue: z.core.$ZodIssue, known: readonly [string, unknown][], path: KeyPath): string {
  const [key, ...rest] = path;
  let value = known.find(([name]) => name === key)?.[1];
  for (const part of rest) value = isRecord(value) || Array.isArray(value) ? Reflect.get(value, part) : undefined;
  const names = issue.code === "invalid_value" ? issue.values.filter((one) => typeof one === "string") : [];
  const hint = typeof value === "string" ? nearest(value, names) : "";
  return `${key === undefined ? "" : `\`${path.join(".")}\`: `}${printable(issue.message, 200)}.${hint}`;
}

export function unknownName(what: string, given: unknown, known: readonly string[]): string {
  const hint = typeof given === "string" ? nearest(given, known) : "";
  return `the ${what} \`${printableValue(given)}\` is not known.${hint}`;
}

export function nearest(given: string, known: readonly string[]): string {
  return given.length > LONGEST_NAME ? "" : nearestName(given, known);
}

/** The value of an own key; null when the key is missing or has no value. */
export function ownValue(record: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : null;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
