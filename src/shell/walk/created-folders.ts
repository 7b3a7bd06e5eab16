import { posix } from "node:path";
import type { Word } from "../command.ts";
import { isGeneratedName } from "../expand/temporary-names.ts";
import type { Env } from "../expand/variables.ts";

/** Of one line; whoever makes more goes to few of them. */
const MOST = 40;

/** To a folder that the line itself has made one can go for sure. */
export function isMade(folder: string, env: Env): boolean {
  const { made } = env;
  if (!made) return false;
  const places = placesOf(folder, env);
  return places.length > 0 && places.every((place) => made.some((one) => one === place || one.startsWith(`${place}/`)));
}

/** With `-p` it hardly ever fails. */
export function mkdir(args: readonly Word[], env: Env): { readonly ok: Env; readonly fail: Env } {
  const ok = noted(
    args.filter(({ text }) => !text.startsWith("-")),
    env,
  );
  const isSafe = args.some(({ text }) => /^(?:-\w*p|--parents$)/.test(text));
  return { ok, fail: isSafe ? { ...ok, unlikely: true } : ok };
}

/** `git clone address folder`, `git init folder`. */
export function clone([verb, ...words]: readonly Word[], env: Env): Env {
  if (verb?.text !== "clone" && verb?.text !== "init") return env;
  const operands = words.filter(({ text }) => !text.startsWith("-"));
  const last = operands.at(-1);
  if (!last?.known || last.text === ".") return env;
  const isAddress = verb.text === "clone" && (/[:@]/.test(last.text) || operands.length === 1);
  return noted([{ text: isAddress ? posix.basename(last.text, ".git") : last.text, known: true }], env);
}

function noted(words: readonly Word[], env: Env): Env {
  const places = words.flatMap((word) => (word.known ? placesOf(word.text, env) : []));
  if (places.length === 0 || (env.made?.length ?? 0) >= MOST) return env;
  return { ...env, made: [...(env.made ?? []), ...places.slice(0, MOST)] };
}

/** A file or folder by its whole path, or from where the line starts; one for each folder that the shell may be in. */
export function placesOf(folder: string, { cwds }: Env): readonly string[] {
  if (folder.startsWith("/") || isGeneratedName(folder)) return [posix.join(folder, ".")];
  return cwds?.map((cwd) => posix.join(cwd || ".", folder, ".")) ?? [];
}
