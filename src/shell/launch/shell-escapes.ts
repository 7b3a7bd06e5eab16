import { knownText, knownWord, type Word } from "../command.ts";

/** The shell lines that programs of another purpose run: editors, terminal multiplexers, debuggers. */
export function shellEscapes(program: string, args: readonly Word[], stdin: Word | undefined): readonly Word[] {
  switch (program) {
    case "vi":
    case "vim":
    case "nvim":
    case "view":
    case "ex":
    case "vimdiff":
    case "less":
    case "more":
      return [...editorCommands(args), ...editorInput(stdin)];
    case "sed":
    case "gsed":
      return args.flatMap((word) => sedLines(knownText(word) ?? ""));
    case "tar":
    case "bsdtar":
    case "gtar":
      return values(
        args,
        /^--(?:checkpoint-action|to-command|use-compress-program|rsh-command|info-script|new-volume-script)$/,
        /^-[IF]$/,
      ).map((word) => (word.known ? knownWord(word.text.replace(/^exec=/, "")) : word));
    case "zip":
      return values(args, /^--unzip-command$/, /^-TT$/);
    case "man":
      return values(args, /^--pager$/, /^-P$/);
    case "rsync":
      return values(args, /^--rsh$/, /^-\w*e$/);
    case "ssh":
      return args.flatMap((word) => {
        const [, line] =
          /^(?:-o)?\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](.+)$/is.exec(knownText(word) ?? "") ?? [];
        return line === undefined || line === "none" ? [] : [knownWord(line)];
      });
    case "ed":
      return editorInput(stdin);
    case "emacs":
      return args.flatMap((word) => lispLines(knownText(word) ?? ""));
    case "gdb":
    case "lldb":
      return args.flatMap((word) => after(/^(?:shell|!|platform shell)\s+/, word));
    case "tmux":
      return tmuxLines(args);
    case "screen":
      return args[0]?.text === "-X"
        ? []
        : args.slice(flags(args)).length > 0
          ? [separate(args.slice(flags(args)))]
          : [];
    case "at":
    case "batch":
      return stdin && !args.some((word) => /^-[lrcd]$/.test(word.text)) ? [stdin] : [];
    case "expect":
      return [...args, ...(stdin ? [stdin] : [])].flatMap((word) => spawned(knownText(word) ?? ""));
    case "make":
    case "gmake":
      // The shell that runs each line of a recipe, with options of its own.
      return args.flatMap((word) => /^SHELL\s*:*=\s*(\S+\s.+)$/s.exec(knownText(word) ?? "")?.[1] ?? []).map(knownWord);
    case "concurrently":
      return args.filter((word) => !word.text.startsWith("-"));
    case "nodemon":
      return args.flatMap((word, index) => (/^(?:-x|--exec)$/.test(word.text) ? (args[index + 1] ?? []) : []));
    case "nix-shell":
      return args.flatMap((word, index) => (/^--(?:run|command)$/.test(word.text) ? (args[index + 1] ?? []) : []));
    case "start-stop-daemon":
      return daemonLine(args);
    case "gcloud":
    case "fly":
    case "flyctl":
      return args.some((word) => word.text === "ssh") ? values(args, /^--command$/, /^-C$/) : [];
    case "vagrant":
    case "sg":
      return args.flatMap((word, index) => (/^(?:-c|--command)$/.test(word.text) ? (args[index + 1] ?? []) : []));
    case "adb":
      return args[0]?.text === "shell" && args.length > 1 ? [joined(args.slice(1))] : [];
    default:
      return [];
  }
}

export const HAVE_SHELL_ESCAPES: ReadonlySet<string> = new Set([
  ...["vi", "vim", "nvim", "view", "ex", "ed", "emacs", "gdb", "lldb", "tmux", "screen", "at", "batch", "expect"],
  ...["vimdiff", "less", "more", "sed", "gsed", "tar", "bsdtar", "gtar", "zip", "man", "rsync", "ssh", "gcloud"],
  ...["fly", "flyctl"],
  ...["make", "gmake", "concurrently", "nodemon", "vagrant", "sg", "adb", "nix-shell", "start-stop-daemon"],
]);

function editorCommands(args: readonly Word[]): readonly Word[] {
  return args.flatMap((word, index) => {
    if (/^(?:-[a-zA-Z]*c|--cmd)$/.test(word.text)) return after(BANG, args[index + 1]);
    if (/^-c./.test(word.text)) return after(BANG, { ...word, text: word.text.slice(2) });
    return word.text.startsWith("+") ? after(BANG, { ...word, text: word.text.slice(1) }) : [];
  });
}

/** `:!cmd`, `:r !cmd`, `:silent !cmd`, `:call system("cmd")`. */
const BANG = /^:?\s*(?:(?:silent|sil|read|r|exe|execute|%|w|write)!?\s*)*!\s*/;

function after(mark: RegExp, word: Word | undefined): readonly Word[] {
  const text = knownText(word);
  if (text === undefined) return [];
  const called = /\bsystem\(\s*(["'])(.*?)\1\s*\)/.exec(text)?.[2];
  if (called !== undefined) return [knownWord(called)];
  // :call delete("x", "rf"), :lua vim.fn.delete("x", "rf")
  const [, , deleted, how] = /\bdelete\(\s*(["'])(.*?)\1\s*(?:,\s*["'](\w*)["']\s*)?\)/.exec(text) ?? [];
  if (deleted !== undefined)
    return [knownWord(`rm ${how === undefined ? "" : `-${how}`} '${deleted.replaceAll("'", "")}'`)];
  return mark.test(text) ? [knownWord(text.replace(mark, ""))] : [];
}

function editorInput(stdin: Word | undefined): readonly Word[] {
  return (knownText(stdin) ?? "").split("\n").flatMap((line) => after(BANG, knownWord(line)));
}

/** The values of options that hold a line: `--name=line`, `--name line`, `-n line`. */
function values(args: readonly Word[], long: RegExp, short: RegExp): readonly Word[] {
  const given = args.flatMap((word, index) => {
    if (long.test(word.text) || short.test(word.text)) return args[index + 1] ?? [];
    const equals = word.text.startsWith("--") ? word.text.indexOf("=") : -1;
    if (equals < 0 || !long.test(word.text.slice(0, equals))) return [];
    const cut = word.text.slice(equals + 1);
    return [{ ...word, text: cut, ...(word.shape !== undefined && { shape: word.shape.slice(equals + 1) }) }];
  });
  // A single name, as in `-e ssh`, only names the program to use.
  return given.filter((word) => /\s/.test(word.text));
}

const SED_RUNS = /^[\s\d,$!~{]*(?:\/[^/]*\/)?\s*(?:e\s+(.+)|s([^\w\s\\])((?:\\.|[^\\])*))$/;

/** The lines that `sed '1e line'` and `sed 's/x/line/e'` run. */
function sedLines(script: string): readonly Word[] {
  if (script.length > 10_000 || !script.includes("e")) return [];
  return script.split(/\n|;(?=[\s\d$/]*[a-z{])/).flatMap((piece) => {
    const [, line, mark, rest] = SED_RUNS.exec(piece) ?? [];
    if (line !== undefined) return [knownWord(line)];
    if (mark === undefined || rest === undefined) return [];
    const [, to, flags = ""] = rest.split(mark);
    return to !== undefined && /^[gpiImM\d]*e[gpiImM\d]*\s*}?$/.test(flags)
      ? [knownWord(to.replace(/&|\\\d/g, "$x"))]
      : [];
  });
}

function lispLines(text: string): readonly Word[] {
  const deleted = [...text.matchAll(/\(delete-(?:directory|file)\s+"([^"\\']+)"/g)].map(([, path]) =>
    knownWord(`rm -rf '${path}'`),
  );
  return [
    ...deleted,
    ...[...text.matchAll(/\((?:shell-command(?:-to-string)?|async-shell-command)\s+"((?:[^"\\]|\\.)*)"/g)].map(
      ([, line = ""]) => knownWord(line.replace(/\\(.)/g, "$1")),
    ),
  ];
}

function tmuxLines(args: readonly Word[]): readonly Word[] {
  const at = args.findIndex((word) =>
    /^(?:send-keys|send|new-session|new|new-window|neww|split-window|splitw|run-shell|run|if-shell|respawn-pane|popup|display-popup|pipe-pane)$/.test(
      word.text,
    ),
  );
  if (at < 0) return [];
  const after = args.slice(at + 1);
  if (/^send/.test(args[at]?.text ?? "")) {
    const plain = after.filter((word, index) => !isOption(word, after[index - 1]));
    const keys = plain.filter((word) => !/^(?:Enter|C-m|C-[a-z]|KPEnter)$/.test(word.text));
    return keys.length > 0 ? [joined(keys)] : [];
  }
  const start = after.findIndex((word, index) => !isOption(word, after[index - 1]));
  return start < 0 ? [] : [separate(after.slice(start))];
}

/** One word is a shell line, several are the words of a command. */
function separate(words: readonly Word[]): Word {
  if (words.length < 2) return joined(words);
  return joined(
    words.map((word) =>
      word.known && /\s/.test(word.text) ? knownWord(`'${word.text.replaceAll("'", `'\\''`)}'`) : word,
    ),
  );
}

const TAKES_VALUE = /^-(?:[tsncFxyeTSbhw]|\w*[ts])$/;

function isOption(word: Word, before: Word | undefined): boolean {
  return word.text.startsWith("-") || (before !== undefined && TAKES_VALUE.test(before.text));
}

function spawned(text: string): readonly Word[] {
  return [...text.matchAll(/(?:^|[;\n{])\s*(?:spawn|exec|system)\s+([^;\n}]+)/g)].map(([, line = ""]) =>
    knownWord(line),
  );
}

/** `start-stop-daemon --start --exec PROGRAM -- ARGUMENTS` */
function daemonLine(args: readonly Word[]): readonly Word[] {
  const at = args.findIndex((word) => /^(?:-x|--exec|-a|--startas)$/.test(word.text));
  const end = args.findIndex((word) => word.text === "--");
  const program = at < 0 ? undefined : args[at + 1];
  return program ? [joined([program, ...(end < 0 ? [] : args.slice(end + 1))])] : [];
}

function flags(args: readonly Word[]): number {
  let at = 0;
  while (args[at]?.text.startsWith("-")) at += /^-\w*[SctTshpe]$/.test(args[at]?.text ?? "") ? 2 : 1;
  return at;
}

function joined(words: readonly Word[]): Word {
  const text = words.map((word) => word.text).join(" ");
  const whole = words.every((word) => word.known);
  const shape = words.map((word) => word.shape ?? word.text).join(" ");
  return whole ? knownWord(text) : { text, known: false, shape };
}
