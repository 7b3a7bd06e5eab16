/** Test data: random JSON in random formatting. */
import fc from "fast-check";

export interface JsonSample {
  readonly text: string;
}

const loose = fc
  .array(fc.constantFrom(" ", "  ", "\t", "\n", "\r\n", "\n  ", "\r\n\t"), { maxLength: 2 })
  .map((parts) => parts.join(""));

/** Keys of one letter make duplicates likely; the others need escapes. */
const key = fc.oneof(fc.constantFrom("a", "b", "hooks", "__proto__"), fc.string({ maxLength: 4, unit: "binary" }));

const scalar = fc.oneof(
  fc.string({ maxLength: 6, unit: "binary" }).map((value) => JSON.stringify(value)),
  fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom("true", "false", "null", "0", "-0", "1E+2", '"\\ud800"', '"\\/"', '"{[,]}"'),
);

function list(open: string, close: string, child: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const spaced = fc.tuple(loose, child, loose).map((parts) => parts.join(""));
  return fc.oneof(
    loose.map((space) => open + space + close),
    fc.array(spaced, { minLength: 1, maxLength: 4 }).map((parts) => open + parts.join(",") + close),
  );
}

const raw = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, scalar, tie("object"), tie("array")),
  object: list(
    "{",
    "}",
    fc
      .tuple(key, loose, loose, tie("value"))
      .map(([name, before, after, value]) => `${JSON.stringify(name)}${before}:${after}${value}`),
  ),
  array: list("[", "]", tie("value")),
}));

/** The formatting that people and programs really use. */
const printed = fc
  .tuple(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom("", " ", "  ", "    ", "\t"), fc.boolean())
  .map(([value, unit, windows]) => {
    const text = JSON.stringify(value, null, unit);
    return windows ? text.replaceAll("\n", "\r\n") : text;
  });

export const jsonText: fc.Arbitrary<JsonSample> = fc
  .tuple(loose, fc.oneof(raw.object, raw.array, printed), loose)
  .map(([before, body, after]) => ({ text: before + body + after }));
