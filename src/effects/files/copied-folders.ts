import { posix } from "node:path";
import type { Command, Word } from "../../shell/command.ts";
import { type CopiedFiles, type Effect, type EffectPlace, effect, pathsOf, type Scene } from "../effect.ts";
import { selectionFor } from "../line/listed-files.ts";
import { given, has, optionsOf } from "../line/words.ts";

interface Copy {
  readonly sources: readonly Word[];
  readonly to: Word;
  /** Folders are copied as well, with all that they hold. */
  readonly deep: boolean;
  /** A source folder written in this way is copied by its content, without its own name. */
  isContent(text: string): boolean;
  readonly except?: readonly string[];
}

/** What `cp -r`, and any copy or move of what a pattern fits, puts in the place of files below a folder. */
export function copiedContent(command: Command, scene: Scene): readonly Effect[] {
  const { program = "" } = command;
  const options = optionsOf(command);
  // With the folders of the source as well: nobody does this to a folder that has them already.
  if (has(options, "parents")) return [];
  const folder = given(options, "t target-directory");
  const to = folder ?? options.operands.at(-1);
  if (!to) return [];
  const isWhole = has(options, "T no-target-directory");
  return landing(
    {
      sources: folder ? options.operands : options.operands.slice(0, -1),
      to,
      deep: program === "cp" && has(options, "r R a recursive archive"),
      isContent: (text) => isWhole || isItself(text),
    },
    command,
    scene,
  );
}

/** Rules of rsync that are more than a list of names: which files they let through is not seen here. */
const RULES = "f filter F C cvs-exclude include include-from exclude-from files-from R relative append";

/** Here a slash at the end of the source says that only its content is meant. */
export function syncedContent(command: Command, scene: Scene): readonly Effect[] {
  const options = optionsOf(command);
  const to = options.operands.at(-1);
  if (!to || has(options, `${RULES} append-verify compare-dest`)) return [];
  const except = options.given.get("exclude") ?? [];
  if (!except.every((word) => word?.known)) return [];
  return landing(
    {
      sources: options.operands.slice(0, -1).filter(({ text }) => !/^[^/]+:/.test(text)),
      to,
      deep: has(options, "r a recursive archive"),
      isContent: (text) => text.endsWith("/") || isItself(text),
      except: except.flatMap((word) => word?.text ?? []),
    },
    command,
    scene,
  );
}

/** `a/.`, `..` */
function isItself(text: string): boolean {
  return /(?:^|\/)\.{1,2}\/*$/.test(text);
}

function landing(copy: Copy, command: Command, scene: Scene): readonly Effect[] {
  if (command.remote || /^[^/]+:/.test(copy.to.text)) return [];
  const targets = pathsOf(copy.to, command, scene);
  const words = copy.sources.flatMap((word) => written(word, command, scene));
  return words.flatMap((word) => {
    const spots = pathsOf(word, command, scene);
    return targets.flatMap((target, at) => {
      const from = spots.length === 1 ? spots[0] : spots[at];
      const copied = from && copiedFrom(word, from, copy);
      if (target.path === undefined || !copied) return [];
      const name = copied.within !== undefined || copy.isContent(word.text) ? "" : posix.basename(word.text);
      const path = posix.join(target.path, name);
      if (path === copied.from) return [];
      const named = posix.join(target.target, name);
      return effect("overwrite", command, `replaces files in ${named}`, {
        ...target,
        target: named,
        path,
        ifExists: true,
        copied,
        instead: "copy to a new folder, or commit the existing files first",
      });
    });
  });
}

/** The word itself, or those that a loop or another command puts in its place. */
function written(word: Word, command: Command, scene: Scene): readonly Word[] {
  if (word.known || word.glob) return [word];
  const found = selectionFor(word, command, scene);
  return found?.exact && found.command.cwd === command.cwd ? found.roots : [];
}

function copiedFrom(
  word: Word,
  { path, inside, pattern }: EffectPlace,
  { deep, except = [] }: Copy,
): CopiedFiles | undefined {
  const rest = { deep, ...(except.length > 0 && { except }) };
  if (path !== undefined) return deep ? { from: path, ...rest } : undefined;
  // A slash after a pattern leaves only folders, and one in brackets may be more than one name.
  if (inside === undefined || pattern === undefined || /\/$|[()]/.test(word.text)) return undefined;
  return { from: pattern, within: inside, ...rest };
}
