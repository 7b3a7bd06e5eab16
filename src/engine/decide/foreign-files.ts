import path from "node:path";
import type { Json } from "../../core/event.ts";
import type { ForeignFiles } from "../../core/policy.ts";
import type { Ports } from "../../core/ports.ts";
import { safeName } from "../../core/text/safe-name.ts";
import type { World } from "./world.ts";

const LARGEST_TOML = 256 * 1024;
const LARGEST_MARKDOWN = 1024 * 1024;

/** The first part is trusted; every further one is an outside name and becomes a single safe segment. */
export function pathOf([base, ...names]: readonly [string, ...string[]]): string {
  return path.join(base, ...names.map(safeName));
}

/** Each read is a fact; the fact is the parsed value and not the whole text. */
export function foreignFiles(world: World): ForeignFiles {
  const { facts, ports } = world;
  const parsed = (file: string): Json | undefined => {
    const text = ports.readText(file, LARGEST_TOML);
    return text === undefined ? undefined : world.formats.parseToml(text);
  };
  return {
    toml(parts, check) {
      const file = pathOf(parts);
      const value = facts.read(`toml:${file}`, () => parsed(file));
      return value === undefined ? undefined : check(value);
    },
    tomlAbove(name, check) {
      const file = facts.read(`above:${name}`, () => nearestAbove(name, world.event.cwd, world.actor.project, ports));
      if (file === undefined) return undefined;
      const value = facts.read(`toml:${file}`, () => parsed(file));
      return value === undefined ? undefined : check(value, file);
    },
    frontMatter(parts) {
      const file = pathOf(parts);
      return facts.read(`front-matter:${file}`, () => {
        const text = ports.readText(file, LARGEST_MARKDOWN);
        return /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---/.exec(text ?? "")?.[1];
      });
    },
  };
}

/** A linked worktree lies beside the project: there the search ends at its own root and goes on in the main checkout. */
export function nearestAbove(
  name: string,
  cwd: string,
  project: string,
  ports: Pick<Ports, "info">,
): string | undefined {
  const isThere = (file: string): boolean => ports.info(file) !== undefined;
  for (let dir = path.normalize(cwd); ; dir = path.dirname(dir)) {
    const file = path.join(dir, name);
    if (isThere(file)) return file;
    if (dir === project) return undefined;
    if (dir === path.dirname(dir) || isThere(path.join(dir, ".git"))) break;
  }
  const file = path.join(project, name);
  return isThere(file) ? file : undefined;
}
