import { posix } from "node:path";
import type { Command } from "../../shell/command.ts";
import { type Effect, pathsOf, type Scene } from "../effect.ts";
import { earlierOf, lineIndex } from "./line-index.ts";
import { operandsOf } from "./words.ts";

/** Effects that follow a link. A deletion of the link by its name leaves its target alone. */
const FOLLOW: ReadonlySet<Effect["kind"]> = new Set(["overwrite", "truncate", "permission-blast"]);
/** Programs that replace a link. */
const REPLACE = /^(?:ln|mv)$/;

/** `ln -s data /tmp/l && rm -rf /tmp/l/*`: moves effects behind a link that the line creates to the link's target. */
export function throughLinks(effects: readonly Effect[], command: Command, scene: Scene): readonly Effect[] {
  const index = lineIndex(scene.shell);
  if (index.links.length === 0 || effects.length === 0) return effects;
  const links = earlierOf(index.links, command, index).flatMap((link) => linkOf(link, scene));
  return links.length === 0
    ? effects
    : effects.map((one) => links.reduceRight((at, { from, to }) => moved(at, from, to), one));
}

function linkOf(command: Command, scene: Scene): readonly { readonly from: string; readonly to: string }[] {
  const [target, name, more] = operandsOf(command);
  if (!target?.known || !name?.known || more || command.remote) return [];
  return pathsOf(name, command, scene).flatMap(({ path }) =>
    path === undefined ? [] : [{ from: path, to: posix.resolve(posix.dirname(path), target.text) }],
  );
}

function follows({ kind, by }: Effect): boolean {
  return FOLLOW.has(kind) && !REPLACE.test(by.program ?? "");
}

function moved(effect: Effect, from: string, to: string): Effect {
  const { path, inside, pattern, mask, target } = effect;
  const isBehind = (place: string | undefined): place is string => place?.startsWith(`${from}/`) === true;
  const goesOn = path === from ? follows(effect) || target.endsWith("/") : isBehind(path);
  if (effect.by.remote || !(goesOn || (path === undefined && (inside === from || isBehind(inside))))) return effect;
  const put = (place: string): string => to + place.slice(from.length);
  const { beside: _, ...rest } = effect;
  return {
    ...rest,
    why: `${effect.why}, through a link to ${to}`,
    ...(path !== undefined && { path: put(path) }),
    ...(inside !== undefined && { inside: put(inside) }),
    ...(pattern !== undefined && { pattern: put(pattern) }),
    ...(mask !== undefined && { mask: put(mask) }),
  };
}
