import type { Json, JsonObject } from "../core/event.ts";
import { isObject } from "../core/event.ts";
import { fingerprint } from "../core/text/fingerprint.ts";

/** Ids are stored in many rows, so a longer one is shortened to its beginning and a fingerprint, which keeps it unique. */
const LONGEST_ID = 256;
const KEPT_OF_ID = 200;

/** The parsed object, or a sentence about why the body is invalid. */
export function parsePayload(body: Buffer): JsonObject | string {
  if (body.length === 0) return "it is empty";
  let value: Json;
  try {
    value = JSON.parse(body.toString("utf8")) as Json;
  } catch (error) {
    // The message of JSON.parse quotes the input, which may hold a secret, so only the position is used.
    const at = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
    return `it is not valid JSON${at === undefined ? "" : ` (at byte ${at} of ${body.length})`}`;
  }
  return isObject(value) ? value : "it is not a JSON object";
}

/** How an agent spells the fields of its payloads, by the names that Claude Code gives them; the others are spelled alike. */
export type Spelling = Readonly<Record<string, string>>;

/** Reads fields leniently and collects the names of those with a wrong type. */
export class Fields {
  readonly malformed: string[] = [];
  readonly raw: JsonObject;
  readonly #spelling: Spelling;

  constructor(raw: JsonObject, spelling: Spelling = {}) {
    this.raw = raw;
    this.#spelling = spelling;
  }

  /** The field's name in the payload. */
  nameOf(field: string): string {
    return this.#spelling[field] ?? field;
  }

  value(field: string): Json | undefined {
    return this.raw[this.nameOf(field)];
  }

  text(field: string): string {
    const value = this.value(field);
    if (typeof value === "string") return value.toWellFormed();
    if (value !== undefined && value !== null) this.malformed.push(this.nameOf(field));
    return "";
  }

  id(field: string): string {
    const id = this.text(field);
    return id.length <= LONGEST_ID ? id : `${id.slice(0, KEPT_OF_ID).toWellFormed()}~${fingerprint(id)}`;
  }

  flag(field: string): boolean {
    const value = this.value(field);
    if (value !== undefined && typeof value !== "boolean") this.malformed.push(this.nameOf(field));
    return value === true;
  }

  count(field: string): number {
    const value = this.value(field);
    return Array.isArray(value) ? value.length : 0;
  }

  /** Notes once that a field is missing or has a wrong type. */
  spoil(field: string, below = ""): void {
    const name = this.nameOf(field);
    if (!this.malformed.includes(name)) this.malformed.push(`${name}${below}`);
  }
}
