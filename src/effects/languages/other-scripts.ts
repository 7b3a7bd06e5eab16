import { type Command, knownWord, type Word } from "../../shell/command.ts";
import { type Effect, type EffectKind, effect, type Family, type Scene } from "../effect.ts";
import { deleted } from "../files/deleting.ts";
import { fileText, inputText } from "../line/line-text.ts";
import { named } from "../loose-options.ts";

/** A language of which only the deleting and the starting calls are read, where their texts are written out. */
export interface ScriptLanguage {
  /** Options whose value is code. */
  readonly code?: RegExp;
  /** Names of calls that delete a folder with everything in it. */
  readonly tree?: RegExp;
  readonly file?: RegExp;
  /** Names of calls that hand a text, or a program and its words, to a shell. */
  readonly shell?: RegExp;
  /** Lines for a shell that are no argument of a plain call, in the second or third group. */
  readonly lines?: RegExp;
  /** Deletes a folder only where this stands as well. */
  readonly recursive?: RegExp;
}

const EVAL = /^(?:-e|--eval|-E|--print|-p)$/;
const LISP_SHELL = /^(?:system|shell-command|call-process|run-program|sh|shell)$/;

export const JVM: ScriptLanguage = {
  code: /^(?:-e|--execute|-c|--code)$/,
  tree: /(?:^|\.)(?:deleteDir|deleteRecursively|File|deleteDirectory|Paths\.get|Path\.of|removeAll)$/,
  shell: /(?:^|\.)(?:exec|ProcessBuilder|Process|proc)$/,
  recursive: /deleteDir|deleteRecursively|deleteDirectory|removeAll|Files\.delete/,
  lines: /(["'])([^"'\n]{1,500})\1(?=\.execute\(|\.!)|getRuntime\(\)\.exec\(\s{0,9}(?:["'])([^"'\n]{1,500})/g,
};

const SCRIPT_LANGUAGES: Readonly<Record<string, ScriptLanguage>> = {
  "Rscript R": {
    code: /^(?:-e|--eval)$/,
    file: /^(?:unlink|file\.remove)$/,
    shell: /^(?:system|system2|shell)$/,
    recursive: /recursive\s*=\s*T/,
  },
  emacs: {
    code: /^(?:-e|--eval|--execute)$/,
    tree: /^delete-directory$/,
    file: /^delete-file$/,
    shell: LISP_SHELL,
  },
  julia: {
    code: /^(?:-e|-E|--eval|--print)$/,
    file: /^rm$/,
    shell: /^(?:run|read|pipeline|Cmd|system)$/,
    recursive: /recursive\s*=\s*true/,
  },
  "elixir iex": {
    code: /^(?:-e|--eval)$/,
    tree: /^File\.rm_rf!?$/,
    file: /^File\.rm!?$/,
    shell: /^(?:System\.cmd|System\.shell|os\.cmd|Port\.open)$/,
  },
  erl: { code: /^-eval$/, tree: /^file:del_dir_r$/, file: /^file:delete$/, shell: /^os:cmd$/ },
  swift: {
    code: /^-e$/,
    tree: /(?:^|\.)(?:removeItem|trashItem)$/,
    shell: /^(?:system|shell)$/,
  },
  "groovy kotlinc kotlin scala scala-cli jshell amm": JVM,
  "clojure clj bb lein": {
    code: /^(?:-e|--eval)$/,
    tree: /^(?:\w+(?:\.\w+)*\/)?(?:delete-tree|delete-dir)$/,
    file: /^(?:\w+(?:\.\w+)*\/)?delete(?:-file|-if-exists)?$/,
    shell: /^(?:\w+(?:\.\w+)*\/)?(?:sh|shell)$/,
  },
  "racket guile sbcl ecl clisp gosh chicken csi": {
    code: /^(?:-e|-c|--eval|-x|--expr)$/,
    tree: /^(?:delete-directory\/files|uiop:delete-directory-tree|delete-file-recursively|delete-directory)$/,
    file: /^delete-file$/,
    shell: /^(?:system\*?|shell|run-program|uiop:run-program|uiop:launch-program)$/,
  },
  "ghc runghc runhaskell stack": {
    code: /^-e$/,
    tree: /(?:^|\.)(?:removeDirectoryRecursive|removePathForcibly)$/,
    file: /(?:^|\.)removeFile$/,
    shell: /(?:^|\.)(?:system|callCommand|callProcess|rawSystem|readProcess)$/,
  },
  "ocaml ocamlfind": { code: /^-e$/, file: /^(?:Sys\.remove|Unix\.unlink)$/, shell: /^(?:Sys\.command|Unix\.system)$/ },
  crystal: { code: /^eval$/, tree: /^FileUtils\.rm_rf?$/, file: /^File\.delete$/, shell: /^(?:system|Process\.run)$/ },
  "raku perl6 rakudo": { code: /^-e$/, tree: /^rmtree$/, file: /^unlink$/, shell: /^(?:shell|run|QX)$/ },
  octave: {
    code: /^(?:--eval|--eval-string)$/,
    tree: /^(?:rmdir|confirm_recursive_rmdir)$/,
    file: /^(?:delete|unlink)$/,
    shell: /^(?:system|shell_cmd|unix)$/,
  },
  "octave-cli matlab": {
    code: /^(?:--eval|-batch|-r)$/,
    tree: /^rmdir$/,
    file: /^delete$/,
    shell: /^(?:system|unix)$/,
  },
  "nim nimr": {
    code: /^(?:--eval|-e|--eval:.*)$/,
    tree: /^removeDir$/,
    file: /^removeFile$/,
    shell: /^(?:execShellCmd|exec)$/,
  },
  "dart v": { code: /^-e$/, tree: /^rmdir_all$/, file: /^rm$/, shell: /^(?:execute|os\.execute|os\.system)$/ },
  "gdb lldb": { code: /^(?:-ex|--eval-command|-o|--one-line|-iex)$/, shell: /^(?:shell|system|platform shell)$/ },
  fennel: { code: EVAL, file: /^os\.remove$/, shell: /^(?:os\.execute|io\.popen)$/ },
};

/** One-liners of languages that are read by their few deleting calls only. */
export const OTHER_SCRIPTS: Readonly<Record<string, Family>> = Object.assign(
  named("nu xonsh elvish osh ysh ion murex", otherShell),
  ...Object.entries(SCRIPT_LANGUAGES).map(([names, language]) =>
    named<Family>(names, (command, scene) => read(language, command, scene)),
  ),
);

/** Shells with a language of their own, in which a plain command is written as everywhere. */
function otherShell(command: Command, scene: Scene): readonly Effect[] {
  const at = command.args.findIndex((arg) => /^(?:-\w*c|--commands?)$/.test(arg ?? ""));
  const text = at < 0 ? undefined : command.args[at + 1];
  return text === undefined ? [] : scene.nested(text, command);
}

/** A name, and the texts that follow it: `f("a", ["b"])`, `(f "a" "b")`, `f "a"`. */
const CALL =
  /(?<![\w.:/-])([A-Za-z_][\w.:!*/-]{0,60})\s{0,9}(?:\(\s{0,9})?(?:[a-z]\w{0,30}:\s{0,9}|<<\s{0,9})?\[?\s{0,9}((?:(["'`])(?:(?!\3)[^\\]|\\.)*\3[\s,[\]]*)+)/g;
const TEXT = /(["'`])((?:(?!\1)[^\\]|\\.)*)\1/g;
const LONGEST = 20_000;

function read(language: ScriptLanguage, command: Command, scene: Scene): readonly Effect[] {
  return codeOf(language, command, scene).flatMap((code) => readCode(code, language, command, scene));
}

/** What the calls in a text do. */
export function readCode(code: string, language: ScriptLanguage, command: Command, scene: Scene): readonly Effect[] {
  return [
    ...(language.lines ? [...code.slice(0, LONGEST).matchAll(language.lines)] : []).flatMap(([, , line, other = ""]) =>
      scene.nested(line ?? other, command),
    ),
    ...[...code.slice(0, LONGEST).matchAll(CALL)].flatMap(([, name = "", given = ""]) => {
      const texts = [...given.matchAll(TEXT)].map((match) => match[2] ?? "");
      const [first = ""] = texts;
      if (/^(?:source|include|source_url|devtools::source_url)$/.test(name) && /^https?:/.test(first))
        return [effect("remote-code", command, `runs code from ${first}`, { target: first })];
      if (language.shell?.test(name)) return scene.nested(shellText(texts), command);
      const deep = language.recursive === undefined || language.recursive.test(code);
      if (language.tree?.test(name) && deep) return of("delete-tree", first, command, scene);
      if (!language.file?.test(name)) return [];
      return of(language.recursive && deep ? "delete-tree" : "delete-file", first, command, scene);
    }),
  ];
}

/** One text is a command line; several are a program and its words. */
function shellText(texts: readonly string[]): string {
  const [first = ""] = texts;
  return texts.length === 1 ? first : texts.map((text) => `'${text.replaceAll("'", "'\\''")}'`).join(" ");
}

function codeOf({ code }: ScriptLanguage, command: Command, scene: Scene): readonly string[] {
  const { args } = command;
  const given = args.flatMap((arg, index) => {
    const [, attached] = /^--(?:eval|expr|execute)=(.*)$/s.exec(arg ?? "") ?? [];
    if (attached !== undefined) return [attached];
    return code?.test(args[index - 1] ?? "") && arg !== undefined ? [arg] : [];
  });
  if (given.length > 0) return given;
  const words = command.argv.slice(1).filter(({ text }) => !text.startsWith("-"));
  return words.length === 0 ? [inputText(command, scene) ?? ""] : filesOf(words, command, scene);
}

/** Of the files among these words those that the line itself wrote. */
export function filesOf(words: readonly Word[], command: Command, scene: Scene): readonly string[] {
  return words.flatMap((word) => (word.known ? (fileText(word, command, scene) ?? []) : []));
}

function of(kind: EffectKind, path: string, command: Command, scene: Scene): readonly Effect[] {
  return deleted(kind, [knownWord(path.replace(/^~(?=\/|$)/, scene.userHome))], command, scene);
}
