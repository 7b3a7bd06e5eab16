import { posix } from "node:path";
import type { Word } from "../command.ts";
import { isGeneratedName } from "../expand/temporary-names.ts";
import type { Env } from "../expand/variables.ts";

const MAX_CREATED = 40;

/** Whether the line itself has created a folder, so that `cd` into it succeeds. */
export function isCreated(folder: string, env: Env): boolean {
  const { made } = env;
  if (!made) return false;
  const places = placesOf(folder, env);
  return places.length > 0 && places.every((place) => made.some((one) => one === place || one.startsWith(`${place}/`)));
}

/** The states after `mkdir`. With `-p` it hardly ever fails. */
export function mkdir(args: readonly Word[], env: Env): { readonly ok: Env; readonly fail: Env } {
  const ok = withCreated(
    args.filter(({ text }) => !text.startsWith("-")),
    env,
  );
  const isSafe = args.some(({ text }) => /^(?:-\w*p|--parents$)/.test(text));
  return { ok, fail: isSafe ? { ...ok, unlikely: true } : ok };
}

/** The state after `git clone address folder` or `git init folder`. */
export function clone([verb, ...words]: readonly Word[], env: Env): Env {
  if (verb?.text !== "clone" && verb?.text !== "init") return env;
  const operands = words.filter(({ text }) => !text.startsWith("-"));
  const last = operands.at(-1);
  if (!last?.known || last.text === ".") return env;
  const isAddress = verb.text === "clone" && (/[:@]/.test(last.text) || operands.length === 1);
  return withCreated([{ text: isAddress ? posix.basename(last.text, ".git") : last.text, known: true }], env);
}

function withCreated(words: readonly Word[], env: Env): Env {
  const places = words.flatMap((word) => (word.known ? placesOf(word.text, env) : []));
  if (places.length === 0 || (env.made?.length ?? 0) >= MAX_CREATED) return env;
  return { ...env, made: [...(env.made ?? []), ...places.slice(0, MAX_CREATED)] };
}

/** The paths that a file name may mean, one for each current folder; relative ones start where the line starts. */
export function placesOf(folder: string, { cwds }: Env): readonly string[] {
  if (folder.startsWith("/") || isGeneratedName(folder)) return [posix.join(folder, ".")];
  return cwds?.map((cwd) => posix.join(cwd || ".", folder, ".")) ?? [];
}
