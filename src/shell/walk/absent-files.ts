import type { Word } from "../command.ts";
import type { Env } from "../expand/variables.ts";
import { FILE_TESTS } from "../parse/syntax.ts";
import { placesOf } from "./created-folders.ts";

const MAX_ABSENT = 40;

interface Branches {
  readonly ok: Env;
  readonly fail: Env;
}

/** The states after `[ -e x ]` or `test ! -f x`. */
export function fileTest(words: readonly Word[], env: Env): Branches {
  const texts = words.map(({ text }) => text);
  const end = texts.at(-1) === "]" ? -1 : texts.length;
  const isNegated = texts[0] === "!";
  const [operator, file, more] = words.slice(isNegated ? 1 : 0, end);
  const isTest = FILE_TESTS.has(operator?.text ?? "") && more === undefined;
  return isTest ? whereAbsent(file, isNegated, env) : { ok: env, fail: env };
}

/** The states after a test for a file: in one of them the file does not exist. */
export function whereAbsent(file: Word | undefined, isNegated: boolean, env: Env): Branches {
  const places = file?.known && file.text !== "" ? placesOf(file.text, env) : [];
  const [place, other] = places;
  if (place === undefined || other !== undefined || (env.absent?.length ?? 0) >= MAX_ABSENT)
    return { ok: env, fail: env };
  const without = { ...env, absent: [...(env.absent ?? []), place] };
  return isNegated ? { ok: without, fail: env } : { ok: env, fail: without };
}
