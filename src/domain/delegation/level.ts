import type { Json } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";

/** From the loosest to the strictest. */
export const LEVELS = ["off", "warn", "strict"] as const;
export type Level = (typeof LEVELS)[number];

/** What a file of oh-my-claudecode says: a level, nothing about it, or something that cannot be used. */
export type FileLevel = Level | "none" | "unusable";

const KEYS = ["delegationEnforcementLevel", "enforcementLevel"] as const;

export function levelIn(text: string): FileLevel {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return "unusable";
    throw error;
  }
  if (!isObject(value)) return "unusable";
  const given = KEYS.map((key) => value[key]).find((level) => level !== undefined);
  if (given === undefined) return "none";
  return LEVELS.find((level) => level === given) ?? "unusable";
}

/**
 * The level in force. The person's own file counts where our configuration has the usual level. A project may make it
 * stricter; it may only loosen what nobody has decided.
 */
export function levelOf(option: Level, project: FileLevel | undefined, home: FileLevel | undefined): Level {
  const [ofProject, ofHome] = [project, home].map((level) => LEVELS.find((one) => one === level));
  if (option !== "warn") return stricter(option, ofProject ?? option);
  if (ofHome !== undefined) return stricter(ofHome, ofProject ?? ofHome);
  return ofProject ?? option;
}

function stricter(one: Level, other: Level): Level {
  return LEVELS.indexOf(one) >= LEVELS.indexOf(other) ? one : other;
}
