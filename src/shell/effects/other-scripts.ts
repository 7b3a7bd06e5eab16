import { type Command, known } from "../command.ts";
import { deleted } from "./deleting.ts";
import type { Effect, EffectKind, Family, Scene } from "./effect.ts";

/** Calls by which R and Emacs delete, where the path is written out. */
const R_CALL = /\b(?:unlink|file\.remove)\(\s*(["'])(.+?)\1/g;
const LISP_CALL = /\((delete-directory|delete-file)\s+"([^"]+)"/g;

/** One-liners of languages that are read by their few deleting calls only. */
export const OTHER_SCRIPTS: Readonly<Record<string, Family>> = {
  Rscript: r,
  R: r,
  emacs: (command, scene) =>
    codeOf(command).flatMap((text) =>
      [...text.matchAll(LISP_CALL)].flatMap(([, call, path = ""]) =>
        of(call === "delete-file" ? "delete-file" : "delete-tree", path, command, scene),
      ),
    ),
};

function r(command: Command, scene: Scene): readonly Effect[] {
  return codeOf(command).flatMap((text) =>
    [...text.matchAll(R_CALL)].flatMap(([, , path = ""]) =>
      of(/recursive\s*=\s*T/.test(text) ? "delete-tree" : "delete-file", path, command, scene),
    ),
  );
}

function codeOf({ args }: Command): readonly string[] {
  return args.flatMap((arg, index) =>
    /^(?:-e|--eval)$/.test(args[index - 1] ?? "") && arg !== undefined ? [arg] : [],
  );
}

function of(kind: EffectKind, path: string, command: Command, scene: Scene): readonly Effect[] {
  return deleted(kind, [known(path.replace(/^~(?=\/|$)/, scene.userHome))], command, scene);
}
