import type { Command, Word } from "../../../shell/command.ts";
import { readOptions } from "../../../shell/options.ts";
import { type Effect, effect, effectsOfEach, pathsOf, type Scene } from "../../effect.ts";
import { selectionFor } from "../../line/listed-files.ts";
import { isSystemFolder } from "../../line/system-folders.ts";
import { has, optionsOf } from "../../line/words.ts";

/** Permissions that leave everybody or nobody in. */
const BLUNT = /^(?:[0-7]?(?:777|666|000)|0|a[-=](?:rwx)?|a\+rwx|ugo[-=+]rwx|[ugoa]*=|-rwx|\+w|[ao]+\+[rx]*w[rx]*)$/;
/** Those of any folder one works with: what its owner may do, what others may read. */
const USUAL = /^(?:0?(?:7[57][05]|6[46][04]|700|600)|[ugo]*a?\+[rxX]+|u\+[rwxX]+|u?g\+[rwxX]+|(?:g|o|go|og)-[rwx]+)$/;
/** `$x/`, which is the root where nothing is in it. */
const MAY_BE_ROOT = /^["']?\$\{?\w+\}?["']?\/\*?$/;
const SETUID = /^(?:[24-7][0-7]{3}|[ugoa]*\+[rwx]*s[rwx]*)$/;

export function changedModes(command: Command, scene: Scene): readonly Effect[] {
  const options = optionsOf(command);
  const [mode, ...rest] = has(options, "reference")
    ? [undefined, ...options.operands]
    : modeOf(command, options.operands);
  const recursive = has(options, "R recursive");
  return effectsOfEach(rest, (word) => {
    const found = selectionFor(word, command, scene);
    const roots = found
      ? found.roots.flatMap((root) => pathsOf(root, found.command, scene))
      : pathsOf(word, command, scene);
    return roots.flatMap((path) => {
      const place = path.path ?? path.inside;
      const wide = place !== undefined && isSystemFolder(place, scene);
      const blunt = mode?.split(",").some((one) => BLUNT.test(one));
      const unknown =
        place === undefined && !(mode?.split(",").every((one) => USUAL.test(one)) && !MAY_BE_ROOT.test(path.target));
      if ((recursive || found) && (wide || blunt || unknown))
        return [
          effect("permission-blast", command, `changes the permissions of everything under ${path.target}`, {
            ...path,
            instead: "change single files, and only the permission bits that are needed",
          }),
        ];
      const setuid =
        mode !== undefined &&
        SETUID.test(mode) &&
        /^\/(?:usr\/)?s?bin\/|\/(?:ba|z|da|k)?sh$|^\/(?:var\/)?tmp\/|^\/dev\/shm\//.test(place ?? "");
      const open =
        (blunt || mode === "-x" || mode === "a-x") && /^\/(?:etc|usr|s?bin|lib\d*|boot|dev|var)\b/.test(place ?? "");
      // A program that runs as its owner is none the safer for lying among temporary files.
      if (setuid)
        return [
          effect("permission-blast", command, `lets every user run ${path.target} with the rights of its owner`, {
            target: path.target,
          }),
        ];
      return open || (blunt && wide)
        ? [effect("permission-blast", command, `changes what everybody may do with ${path.target}`, path)]
        : [];
    });
  });
}

/** `chmod -x file`: a mode may look like an option. */
function modeOf(command: Command, operands: readonly Word[]): [string | undefined, ...Word[]] {
  const dashed = command.argv.slice(1).find((word) => /^-[rwxXst]+$/.test(word.text));
  return dashed ? [dashed.text, ...operands] : [operands[0]?.text, ...operands.slice(1)];
}

export function changedOwners(command: Command, scene: Scene): readonly Effect[] {
  const letters =
    command.program === "setfacl" ? { short: "bkRm:x:", long: "recursive remove-all modify: remove:" } : undefined;
  const options = letters ? readOptions(command.argv.slice(1), letters, true) : optionsOf(command);
  const words = letters || has(options, "reference") ? options.operands : options.operands.slice(1);
  return words.flatMap((word) => {
    const found = selectionFor(word, command, scene);
    if (!found && !has(options, "R recursive")) return [];
    const roots = found
      ? found.roots.flatMap((root) => pathsOf(root, found.command, scene))
      : pathsOf(word, command, scene);
    return roots
      .filter(({ path, inside }) => isSystemFolder(path ?? inside ?? "", scene))
      .map((path) =>
        effect("permission-blast", command, `changes who owns or may use everything under ${path.target}`, path),
      );
  });
}
