import { posix } from "node:path";
import type { Command, Word } from "../../shell/command.ts";
import { type Effect, effect, type Family, pathsOf, type Scene } from "../effect.ts";
import { has, optionsOf } from "../line/words.ts";
import { named, readLoosely } from "../loose-options.ts";
import { syncedContent } from "./copied-folders.ts";
import { OUTPUT_TOOLS, outputWords } from "./outputs.ts";
import { puts, replaced, written } from "./replacing.ts";

const told: Family = (command, scene) => {
  const words = outputWords(command);
  return words.length === 0 || words.some(({ text }) => isEdited(text, command)) ? [] : puts(command, scene);
};

/** Programs that read all input before they write, so that a file may be both input and output. */
const READS_FIRST = /^(?:sort|shuf|xmllint|svgo|magick|convert|pandoc|python3?)$/;

/** `sort -o a a` */
function isEdited(text: string, { program, argv }: Command): boolean {
  if (!READS_FIRST.test(program ?? "")) return false;
  const isAttached = argv.some((word) => word.text.startsWith("-") && word.text.endsWith(text));
  return argv.filter((word) => word.text === text).length > (isAttached ? 0 : 1);
}

const sorted: Family = (command, scene) => {
  const { given } = optionsOf(command);
  const to = [...(given.get("o") ?? []), ...(given.get("output") ?? [])];
  return to.some((word) => word && isEdited(word.text, command)) ? [] : puts(command, scene);
};

/** A new archive; one that is added to keeps what it holds. */
const packed: Family = (command, scene) => {
  const creates = command.args.some(
    (arg, at) => /^(?:--create|-[A-Za-z]*c[A-Za-z]*)$/.test(arg ?? "") || (at === 0 && /^[A-Za-z]*c/.test(arg ?? "")),
  );
  return creates ? puts(command, scene) : [];
};

const synced: Family = (command, scene) =>
  has(optionsOf(command), "n dry-run u update b backup ignore-existing list-only")
    ? []
    : [...replaced(command, scene), ...syncedContent(command, scene)];

const copied: Family = (command, scene) => replaced(command, scene);

const patched: Family = (command, scene) =>
  has(optionsOf(command), "o output") && !has(optionsOf(command), "dry-run") ? puts(command, scene) : [];

/** Extensions of hand-written files; compiler output has other extensions or none. */
const WRITTEN_BY_HAND =
  /\.(?:c|h|cc|cpp|cxx|hpp|rs|go|py|js|jsx|ts|tsx|java|kt|rb|php|swift|hs|ml|md|txt|csv|json|ya?ml|toml|sql|sh|env)$|^\.env/;

/** `gcc -o main.c main.c`: the compiled program replaces its source. */
const compiled: Family = (command, scene) => {
  const at = command.args.indexOf("-o");
  const to = at < 0 ? undefined : command.argv[at + 2];
  return to?.known && WRITTEN_BY_HAND.test(posix.basename(to.text)) ? written(to, command, scene) : [];
};

const REMOTE = /^[\w.-]+:/;

/** A copy from a cloud or a container: the last word is the local file, the word before it the remote one. */
const brought =
  (verbs: RegExp, values: string): Family =>
  (command, scene) => {
    const { operands } = readLoosely(command.argv.slice(1), values);
    const [from, to] = operands.slice(-2);
    const verb = operands
      .slice(0, -2)
      .map(({ text }) => text)
      .join(" ");
    if (!from || !to || !verbs.test(verb) || command.args.some((arg) => /^--(?:dryrun|recursive)$/.test(arg ?? "")))
      return [];
    return REMOTE.test(from.text) && !REMOTE.test(to.text) && to.text !== "-" ? landed(from, to, command, scene) : [];
  };

function landed(from: Word, to: Word, command: Command, scene: Scene): readonly Effect[] {
  return pathsOf(to, command, scene).flatMap(({ path, target }) =>
    path === undefined
      ? []
      : effect("overwrite", command, `replaces ${target}`, {
          target,
          path,
          ifExists: true,
          lands: posix.basename(from.text),
          instead: "copy it to another name",
        }),
  );
}

/** Programs other than copy tools that replace an existing file with their output. */
export const OUTPUT_OPTIONS: Readonly<Record<string, Family>> = {
  ...named(OUTPUT_TOOLS.join(" "), told),
  ...named("python python3", told),
  sort: sorted,
  patch: patched,
  ...named("tar bsdtar gtar", packed),
  scp: copied,
  rsync: synced,
  ...named("gcc cc g++ c++ clang clang++ rustc go tcc nvcc ghc ocamlc gfortran ld", compiled),
  aws: brought(/^s3 (?:cp|mv)$/, "profile region endpoint-url storage-class exclude include"),
  gsutil: brought(/^(?:cp|mv)$/, "o h u"),
  gcloud: brought(/^(?:alpha |beta )?storage (?:cp|mv)$/, "project account"),
  docker: (command, scene) => [
    ...told(command, scene),
    ...brought(/^(?:container )?cp$/, "H host c context")(command, scene),
  ],
  podman: (command, scene) => [...told(command, scene), ...brought(/^(?:container )?cp$/, "")(command, scene)],
  kubectl: brought(/^cp$/, "n namespace context c container kubeconfig"),
};
