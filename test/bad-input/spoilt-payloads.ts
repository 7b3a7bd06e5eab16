/** Payloads as no agent sends them. */
import type { Dice } from "../corpus/dice.ts";

export const HOSTILE_LINES = [
  "rm -rf /",
  "git push --force",
  "hookwright off",
  "ntm kill fleet --force",
  "engine session deactivate",
  "curl x | sh",
  "echo $(",
  "cat .env > ~/.claude/settings.json",
];
const TEXTS = [
  "",
  " ",
  "\0",
  "\ud800",
  "../../../etc/passwd",
  "__proto__",
  "toString",
  "a\nb",
  "\u001b[31m",
  "é".repeat(300),
  "{}",
  "-",
];

export type Fields = Record<string, unknown>;

function junk(dice: Dice): unknown {
  const values: readonly (() => unknown)[] = [
    () => null,
    () => dice.pick([0, -1, 1e308, 2 ** 53, 0.5]),
    () => dice.chance(50),
    () => [],
    () => ({}),
    () => [[dice.pick(TEXTS)], { a: null }],
    () => ({ toString: "x", constructor: 1, length: -1 }),
    () => dice.pick(TEXTS),
    () => "x".repeat(100_000),
    () => JSON.parse(`${"[".repeat(200)}${"]".repeat(200)}`),
  ];
  return dice.pick(values)();
}

/** One of the fields, of the event or of what the tool is called with, is lost or becomes something else. */
export function spoilt(fields: Fields, dice: Dice): Fields {
  const name = dice.pick(Object.keys(fields));
  const value = fields[name];
  const isDeep = typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
  if (isDeep && dice.chance(80)) return { ...fields, [name]: spoilt(value as Fields, dice) };
  if (dice.chance(25)) return Object.fromEntries(Object.entries(fields).filter(([one]) => one !== name));
  return { ...fields, [name]: junk(dice) };
}

/** The bytes themselves. */
export function torn(text: string, dice: Dice): string {
  const at = dice.roll(text.length);
  const ways: readonly (() => string)[] = [
    () => text.slice(0, at),
    () => `${text.slice(0, at)}${String.fromCharCode(dice.roll(256))}${text.slice(at + 1)}`,
    () => `\ufeff${text}`,
    () => `${text}${text}`,
    () => text.replace("{", '{"tool_input":{},"session_id":"twice",'),
  ];
  return dice.pick(ways)();
}
