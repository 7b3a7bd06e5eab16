import fc from "fast-check";
import { doubleQuoted, singleQuoted } from "../quoting.ts";

/** A line that does what a simple command does, and how it was made. */
export interface Disguised {
  readonly line: string;
  readonly used: readonly string[];
}

interface Dressed extends Disguised {
  /** One simple command, so that a launcher can stand in front of it. */
  readonly isSimple: boolean;
}

const plain = (text: string): string => (/^[\w./:=@%+,-]+$/.test(text) ? text : singleQuoted(text));

/** Ways to write one word; each gives exactly this word back in bash. */
const WORD_STYLES: Readonly<Record<string, (text: string) => string>> = {
  plain,
  "single quotes": singleQuoted,
  "double quotes": doubleQuoted,
  "empty quotes inside": (text) => [...text].map(plain).join("''"),
  backslashes: (text) =>
    [...text].map((char) => (/[A-Za-z0-9]/.test(char) ? `\\${char}` : singleQuoted(char))).join(""),
  "hexadecimal codes": (text) =>
    `$'${[...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}'`,
  "octal codes": (text) =>
    `$'${[...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")}'`,
  "two pieces": (text) => singleQuoted(text.slice(0, 1)) + (text.length > 1 ? doubleQuoted(text.slice(1)) : ""),
};

/** Programs in front of a simple command that run it as it is. */
const LAUNCHERS = [
  "sudo",
  "sudo -u root",
  "env",
  "env A=1 B=2",
  "nice -n 5",
  "nohup",
  "timeout 10",
  "stdbuf -oL",
  "setsid -w",
];
/** Words of the shell itself: nothing but the shell can run what they begin. */
const SHELL_WORDS = ["command", "exec", "time", "!", "A=1"];

/** Shells and constructs around a line. */
const AROUND: Readonly<Record<string, { wrap(line: string): string; readonly isSimple?: true }>> = {
  "bash -c": { wrap: (line) => `bash -c ${singleQuoted(line)}`, isSimple: true },
  "bash -c, double quotes": { wrap: (line) => `bash -c ${doubleQuoted(line)}`, isSimple: true },
  eval: { wrap: (line) => `eval ${singleQuoted(line)}` },
  "here-string": { wrap: (line) => `bash <<< ${singleQuoted(line)}`, isSimple: true },
  heredoc: { wrap: (line) => `bash <<'${marker(line)}'\n${line}\n${marker(line)}` },
  "printed into a shell": { wrap: (line) => `printf '%s\\n' ${singleQuoted(line)} | bash` },
  "variable and eval": { wrap: (line) => `later=${singleQuoted(line)}\neval "$later"` },
  subshell: { wrap: (line) => `(\n${line}\n)` },
  group: { wrap: (line) => `{\n${line}\n}` },
  "and chain": { wrap: (line) => `true && {\n${line}\n} && true` },
  sequence: { wrap: (line) => `echo start; pwd\n${line}\necho end` },
  "or chain": { wrap: (line) => `false || {\n${line}\n}` },
  if: { wrap: (line) => `if true; then\n${line}\nfi` },
  "for loop": { wrap: (line) => `for i in 1 2; do\n${line}\ndone` },
  function: { wrap: (line) => `work() {\n${line}\n}\nwork` },
  substitution: { wrap: (line) => `echo "$(\n${line}\n)"` },
  case: { wrap: (line) => `case a in\na)\n${line}\n;;\nesac` },
};

/** A line that no row of the text is. */
function marker(text: string): string {
  let name = "END";
  while (text.split("\n").includes(name)) name += "D";
  return name;
}

/** Random disguises of a simple command. */
export function disguised(argv: readonly string[]): fc.Arbitrary<Disguised> {
  const layers = fc.array(fc.oneof(launcher, shellWord, around), { maxLength: 3 });
  return fc.tuple(written(argv), layers).map(([start, more]) => {
    const dressed = more.reduce((inner, layer) => layer(inner), start);
    return { line: dressed.line, used: dressed.used };
  });
}

function written(argv: readonly string[]): fc.Arbitrary<Dressed> {
  const names = Object.keys(WORD_STYLES);
  const styled = fc
    .array(fc.constantFrom(...names), { minLength: argv.length, maxLength: argv.length })
    .map((styles) => ({
      line: argv.map((word, at) => (WORD_STYLES[styles[at] ?? ""] ?? plain)(word)).join(" "),
      used: [...new Set(styles)],
      isSimple: true,
    }));
  const variables = fc.constantFrom("; ", "\n", " && ").map((join) => ({
    line: [...argv.map((word, at) => `v${at}=${plain(word)}`), argv.map((_, at) => `"$v${at}"`).join(" ")].join(join),
    used: ["variables"],
    isSimple: false,
  }));
  const array = fc.constant({
    line: `all=(${argv.map(plain).join(" ")}); "\${all[@]}"`,
    used: ["array"],
    isSimple: false,
  });
  return fc.oneof(
    { weight: 6, arbitrary: styled },
    { weight: 1, arbitrary: variables },
    { weight: 1, arbitrary: array },
  );
}

type Layer = (inner: Dressed) => Dressed;

const launcher: fc.Arbitrary<Layer> = fc
  .constantFrom(...LAUNCHERS)
  .map((name) => (inner) => (inner.isSimple ? dressed(inner, `${name} ${inner.line}`, name, true) : inner));

const shellWord: fc.Arbitrary<Layer> = fc
  .constantFrom(...SHELL_WORDS)
  .map((name) => (inner) => (inner.isSimple ? dressed(inner, `${name} ${inner.line}`, name, false) : inner));

const around: fc.Arbitrary<Layer> = fc.constantFrom(...Object.entries(AROUND)).map(
  ([name, { wrap, isSimple }]) =>
    (inner) =>
      dressed(inner, wrap(inner.line), name, isSimple === true),
);

function dressed(inner: Dressed, line: string, name: string, isSimple: boolean): Dressed {
  return { line, used: [...inner.used, name], isSimple };
}
