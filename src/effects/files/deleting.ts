import { posix } from "node:path";
import type { Command, Word } from "../../shell/command.ts";
import { readOptions } from "../../shell/options.ts";
import { PLACEHOLDER } from "../../shell/placeholders.ts";
import { type Effect, type EffectKind, effect, effectsOfEach, type Family, pathsOf, type Scene } from "../effect.ts";
import { isRawDevice } from "../line/devices.ts";
import { type FileSelection, readFind } from "../line/file-selection.ts";
import { earlierOf, lineIndex } from "../line/line-index.ts";
import { selectionFor } from "../line/listed-files.ts";
import { has, named, operandsOf, optionsOf } from "../line/words.ts";
import { WRITERS } from "../line/writers.ts";
import { dashed } from "./written-paths.ts";

/** Programs that delete by name. */
export const DELETING: Readonly<Record<string, Family>> = {
  rm,
  srm: rm,
  unlink: (command, scene) => deleted("delete-file", command.argv.slice(1), command, scene),
  rimraf: trees,
  "del-cli": trees,
  wipe: trees,
  shred,
  find,
  rsync,
  tar,
  "trash-empty": (command) => [effect("delete-tree", command, "empties the trash", { target: "the trash" })],
};

const MOVE_AWAY = "move it to a folder under the system's temporary folder instead, or commit it first";

function trees(command: Command, scene: Scene): readonly Effect[] {
  return deleted("delete-tree", operandsOf(command), command, scene);
}

function rm(command: Command, scene: Scene): readonly Effect[] {
  const options = optionsOf(command);
  // Without an answer rm leaves everything as it is.
  const asks = has(options, "i I") || options.given.get("interactive")?.some((how) => !/^n/.test(how?.text ?? ""));
  if (asks && !has(options, "f force") && command.upstream.length === 0) return [];
  const kind = has(options, "r R recursive") ? "delete-tree" : "delete-file";
  return [...deleted(kind, options.operands, command, scene), ...movedInto(kind, options.operands, command, scene)];
}

/** `mv * /tmp/x && rm -rf /tmp/x`: the moved files are deleted as well. */
export function movedInto(kind: EffectKind, words: readonly Word[], command: Command, scene: Scene): readonly Effect[] {
  const { moves, cloudMoves } = lineIndex(scene.shell);
  if ((moves.length === 0 && cloudMoves.length === 0) || command.remote) return [];
  const gone = words
    .flatMap((word) => pathsOf(word, command, scene))
    .flatMap(({ path, inside }) => path ?? inside ?? []);
  const isGone = (to: Word, move: Command): boolean =>
    pathsOf(to, move, scene).some(({ path = "" }) =>
      gone.some((place) => path === place || path.startsWith(`${place}/`)),
    );
  const fromClouds = earlierOf(cloudMoves, command, lineIndex(scene.shell)).flatMap((move) => {
    const [from, to] = operandsOf(move).slice(-2);
    if (!from || !to || !/^[\w.-]+:/.test(from.text) || /^[\w.-]+:/.test(to.text) || !isGone(to, move)) return [];
    return [
      effect("destroy-infrastructure", command, `deletes what was moved out of ${from.text}`, { target: from.text }),
    ];
  });
  const here = earlierOf(moves, command, lineIndex(scene.shell)).flatMap((move) => {
    const { operands } = optionsOf(move);
    // An archive is named first.
    const to = move.program === "zip" ? operands[0] : operands.at(-1);
    if (!to || operands.length < 2 || !isGone(to, move)) return [];
    const moved = move.program === "zip" ? operands.slice(1) : operands.slice(0, -1);
    return moved.flatMap((word) => deletedWord(kind, word, move, command, scene));
  });
  return [...fromClouds, ...here];
}

export function deleted(kind: EffectKind, words: readonly Word[], command: Command, scene: Scene): readonly Effect[] {
  return effectsOfEach(worstFirst(words, scene), (word) => {
    const found = selectionFor(word, command, scene);
    if (found && !found.exact) return ofFound(kind, found, command, scene);
    if (!found) return deletedWord(kind, word, command, command, scene);
    return effectsOfEach(worstFirst(found.roots, scene), (one) =>
      deletedWord(kind, one, found.command, command, scene),
    );
  });
}

const MANY = 300;
/** A system folder, the home folder, a parent folder, or a pattern for everything in one of them. */
const WIDE = /^(?:\/[^/]*|~[^/]*|\$\{?\w+\}?|(?:\.\.\/)*\.{0,2})\/?\*?$/;

/** Only a limited number of targets is judged, so the most important ones come first. */
function worstFirst(words: readonly Word[], { cwd, userHome }: Scene): readonly Word[] {
  if (words.length <= MANY) return words;
  const holdsMuch = (text: string): boolean =>
    WIDE.test(text) || text === userHome || text === cwd || cwd.startsWith(text.endsWith("/") ? text : `${text}/`);
  const wide = new Set(words.filter(({ text }) => holdsMuch(text)));
  return wide.size === 0 ? words : [...wide, ...words.filter((word) => !wide.has(word))];
}

function deletedWord(kind: EffectKind, word: Word, from: Command, command: Command, scene: Scene): readonly Effect[] {
  const name = named(word, from, scene);
  const why = kind === "delete-tree" ? `deletes ${name} with everything in it` : `deletes ${name}`;
  return pathsOf(word, from, scene).map((path) => effect(kind, command, why, { ...path, instead: MOVE_AWAY }));
}

/** Each root, joined with the names that were looked for. */
function ofFound(kind: EffectKind, found: FileSelection, command: Command, scene: Scene): readonly Effect[] {
  const { roots, names } = found;
  if (found.empty) return [];
  return roots.flatMap((root) =>
    pathsOf(root, found.command, scene).flatMap(({ path, inside, certainty }) => {
      const folder = path ?? inside;
      const one = (target: string, rest: Partial<Effect>): Effect =>
        effect(kind, command, `deletes everything that matches ${target}`, {
          target,
          certainty,
          instead: MOVE_AWAY,
          ...rest,
        });
      if (names.length === 0)
        return [
          effect("delete-tree", command, `deletes what is found under ${named(root, found.command, scene)}`, {
            target: root.text,
            certainty,
            instead: "list the files that it finds first",
            ...(folder !== undefined && { inside: folder }),
            ...(folder !== undefined && found.old && { mask: posix.join(folder, PLACEHOLDER) }),
          }),
        ];
      return names.map((name) =>
        one(
          posix.join(root.text, "**", name),
          folder === undefined ? {} : { path: posix.join(folder, name), inside: folder },
        ),
      );
    }),
  );
}

function find(command: Command, scene: Scene): readonly Effect[] {
  return command.args.includes("-delete") ? ofFound("delete-file", readFind(command), command, scene) : [];
}

function shred(command: Command, scene: Scene): readonly Effect[] {
  return optionsOf(command).operands.flatMap((word) =>
    pathsOf(word, command, scene).map((path) =>
      isRawDevice(path.path ?? "")
        ? effect("format-device", command, `overwrites the disk ${path.target}`, path)
        : effect("delete-file", command, `destroys the content of ${named(word, command, scene)}`, path),
    ),
  );
}

function rsync(command: Command, scene: Scene): readonly Effect[] {
  const options = optionsOf(command);
  const last = options.operands.at(-1);
  if (!last || has(options, "n dry-run list-only") || options.operands.length < 2) return [];
  const deletes = [...options.given.keys()].some(
    (name) => /^del(?:ete.*)?$/.test(name) && name !== "delete-missing-args",
  );
  if (!deletes) return [];
  const why = `deletes everything in ${named(last, command, scene)} that the source does not have`;
  const instead = "try it with --dry-run and show the person the list";
  if (/^[^/]+:/.test(last.text)) return [effect("delete-tree", command, why, { target: last.text, instead })];
  return pathsOf(last, command, scene).map((path) => effect("delete-tree", command, why, { ...path, instead }));
}

function tar(command: Command, scene: Scene): readonly Effect[] {
  if (!command.args.includes("--remove-files")) return [];
  const { operands: words } = readOptions(dashed(command.argv.slice(1)), WRITERS.tar ?? {}, true);
  const operands = words.filter((word) => !/\.(?:tar|tgz|t?[gx]z|bz2|zst)\b/.test(word.text));
  return deleted("delete-tree", operands, command, scene);
}
