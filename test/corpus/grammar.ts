import type { Dice } from "./dice.ts";
import { quoteRandomly, singleQuoted } from "./quoting.ts";

const TEXTS = [
  "a",
  "b.txt",
  "two words",
  "-f",
  "--all",
  "x*y",
  "$HOME",
  "it's",
  '"',
  "#no",
  "{a,b}",
  "~",
  "a;b",
  "é",
  "-",
  "|",
  "\\",
  "!",
  "*",
  "a\nb",
  "%s",
  "=",
  "&&",
  ">f",
  "`x`",
  "[z]",
  "?",
];
const FOLDERS = ["sub", "sub/deep", ".", "missing", "sub/../sub"];

/**
 * Writes random lines of bash that are valid and end by themselves. Every program is a stub with a number of its own
 * as first argument, so that what ran can be matched with what was read.
 */
export class Grammar {
  readonly #dice: Dice;
  #next = 0;
  #functions: string[] = [];
  #variables: string[] = [];

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  line(): string {
    this.#functions = [];
    this.#variables = [];
    return this.#list(2, 1 + this.#dice.roll(4));
  }

  #list(depth: number, length: number): string {
    let text = this.#statement(depth);
    for (let index = 1; index < length; index++) {
      const joint = this.#dice.pick([" && ", " || ", "; ", "; ", "\n", " ;\n", " & "]);
      // A here-document has to be followed by its text, so what comes next begins on a new line.
      text += (/\n\t?END$/.test(text) ? "\n" : joint) + this.#statement(depth);
    }
    return text;
  }

  #statement(depth: number): string {
    const simple = [
      () => this.#stub(),
      () => this.#stub(),
      () => this.#assignment(),
      () => this.#wrapped(depth),
      () => this.#misc(),
    ];
    const compound = [
      () => `( ${this.#list(depth - 1, 2)}\n)`,
      () => `{ ${this.#list(depth - 1, 2)}\n}`,
      () => `! ${this.#stub()}`,
      () => `${this.#stub()} | ${this.#stub()}${this.#dice.chance(30) ? ` |& ${this.#stub()}` : ""}`,
      () => `if ${this.#list(depth - 1, 1)}\nthen ${this.#list(depth - 1, 2)}\n${this.#else(depth)}fi`,
      () => this.#for(depth),
      () => `while ${this.#dice.pick(["false", "fail1 w"])}; do ${this.#list(depth - 1, 1)}\ndone`,
      () => `until ${this.#dice.pick(["true", "ok1 w"])}; do ${this.#list(depth - 1, 1)}\ndone`,
      () =>
        `case ${this.#word()} in ${this.#dice.pick(["a", "*", "'two words'|b*"])}) ${this.#list(depth - 1, 2)}\n;; esac`,
      () => this.#function(depth),
      () => this.#heredoc(),
      () => `eval ${singleQuoted(this.#list(depth - 1, 2))}`,
      () => this.#shell(depth),
      () => `${this.#dice.pick(["OUT", "V1"])}=$(${this.#list(depth - 1, 1)}\n)`,
      () => `[[ ${this.#dice.pick(["-n", "-z"])} ${this.#word()} ]] && ${this.#stub()}`,
      () =>
        `${this.#stub()} || ${this.#dice.pick(["exit 1", "exit 0", "{ ok2 x; exit 3; }", "true", "false", "return 1"])}`,
      () => this.#redirected(depth),
    ];
    const choices = depth > 0 && this.#dice.chance(55) ? compound : simple;
    return this.#dice.pick(choices)();
  }

  #redirected(depth: number): string {
    const text = this.#statement(depth - 1);
    // The line that ends a here-document must hold nothing else.
    return /\n\t?END/.test(text) ? text : `${text} > ${this.#file()}`;
  }

  #else(depth: number): string {
    if (this.#dice.chance(40)) return "";
    return `else ${this.#dice.chance(30) ? "exit 1" : this.#list(depth - 1, 1)}\n`;
  }

  #for(depth: number): string {
    const name = this.#dice.pick(["V1", "V2", "it"]);
    this.#variables.push(name);
    const words = this.#words(3).join(" ");
    const jump = this.#dice.chance(15) ? `${this.#stub()} && ${this.#dice.pick(["break", "continue"])}; ` : "";
    return `for ${name} in ${words}; do ${jump}${this.#list(depth - 1, 1 + this.#dice.roll(2))}\ndone`;
  }

  #function(depth: number): string {
    const name = `fn${this.#next++}`;
    const end = this.#dice.chance(20) ? `\n${this.#stub()} && return ${this.#dice.roll(2)}` : "";
    const local = this.#dice.chance(20) ? "local V1=inside; " : "";
    const text = `${name}() { ${local}${this.#list(depth - 1, 2)}${end}\n${this.#stub()} "$@" $1\n}`;
    this.#functions.push(name);
    return this.#dice.chance(20) ? text : `${text}\n${name} ${this.#words(2).join(" ")}`;
  }

  #heredoc(): string {
    const body = this.#dice.pick(["plain text", "value $V1", `ok1 ${this.#id()}`, "$(ok3 in)"]);
    const quoted = this.#dice.chance(40);
    return `${this.#dice.pick(["cat", "bash", `ok1 ${this.#id()}`])} <<${quoted ? "'END'" : "END"}\n${body}\nEND`;
  }

  #shell(depth: number): string {
    const flags = this.#dice.pick(["-c", "-ec", "-c", "-uc", "-o pipefail -c"]);
    const script = `${this.#list(depth - 1, 2)}${this.#dice.chance(30) ? `\nok2 ${this.#id()} "$1" $2` : ""}`;
    return `bash ${flags} ${quoteRandomly(script, this.#dice)} name ${this.#words(2).join(" ")}`;
  }

  #wrapped(depth: number): string {
    const inner = this.#dice.chance(30) && depth > 0 ? this.#wrapped(depth - 1) : this.#stub();
    const wrapper = this.#dice.pick([
      "env",
      "env A=1 B='two words'",
      "env -u A --",
      "nice -n 1",
      "nice",
      "nohup",
      "timeout 5",
      "timeout -k 1 --signal=TERM 5s",
      "command",
      "exec",
      "xargs",
      "xargs -n 2",
      "X=1 env",
      "time",
      "stdbuf -oL",
    ]);
    if (this.#dice.chance(8)) return `find . -maxdepth 0 -exec ${inner} {} \\;`;
    if (this.#dice.chance(8)) return `printf 'a b\\n' | xargs -I% ${inner} %`;
    // exec and time are the shell's own words and cannot be started by another program.
    return /^(?:exec|time|command)/.test(inner) ? `command ${this.#stub()}` : `${wrapper} ${inner}`;
  }

  #misc(): string {
    return this.#dice.pick([
      () => `cd ${this.#dice.pick(FOLDERS)}`,
      () => `cd ${this.#dice.pick(FOLDERS)} && ${this.#stub()}`,
      () => `set ${this.#dice.pick(["-e", "+e", "-o pipefail", "-eu", "+u"])}`,
      () => `set -- ${this.#words(3).join(" ")}`,
      () => "shift",
      () => `unset ${this.#dice.pick(["V1", "V2"])}`,
      () => `V1=${this.#word()} ${this.#stub()}`,
      () => `export V1=${this.#word()}`,
      () => `declare ${this.#dice.pick(["V1", "-i N1", "-u V2", "-r R1"])}=${this.#word()}`,
      () => `((N1 = 1 + ${this.#dice.roll(9)}))`,
      () => `read V1 <<< ${this.#word()}`,
      () => `${this.#stub()} >> ${this.#file()} 2>&1`,
      () => `${this.#stub()} > missing/folder/x`,
      () => (this.#functions.length > 0 ? `${this.#dice.pick(this.#functions)} ${this.#words(2).join(" ")}` : ":"),
      () => `echo ${quoteRandomly(`ok1 ${this.#id()}`, this.#dice)} | bash`,
      () => `IFS=: ${this.#stub()}`,
      () => `printf -v V2 '%s' ${this.#word()}`,
      () => `trap ${singleQuoted(this.#stub())} ${this.#dice.pick(["EXIT", "INT"])}`,
      () => `eval "ok1 ${this.#id()} $OUTSIDE '$V1'"`,
      () => `bash -c "ok2 ${this.#id()} '$OUTSIDE' $V2; fail1 ${this.#id()}"`,
      () => `P1=${this.#dice.pick(["ok1", "fail1", "'ok2 pre'"])}; $P1 ${this.#id()} && "$P1" x`.replaceAll("\\", ""),
      () => `"$HOME"/missing ${this.#id()}`,
      () => `builtin cd sub && ${this.#stub()}`,
      () => `pushd sub > /dev/null; ${this.#stub()}; popd`,
      () => `while read -r V1; do ${this.#stub()} < /dev/null\ndone <<-END\n\tone\n\ttwo words\n\tEND`,
      () => `for ((I = 0; I < 2; I++)); do ${this.#stub()} $I\ndone`,
      () => `LIST+=(${this.#words(2).join(" ")})`,
      () => `V3=${this.#word()}; ${this.#stub()} "$V3" "\${V3}\${V3}"`,
      () => `command -v ok1 > /dev/null && ${this.#stub()}`,
      () => `${this.#stub()} <(${this.#stub()})`,
      () => `${this.#stub()} &> ${this.#file()}`,
      () => `exec 3> ${this.#file()}`,
      () => "true",
      () => "false",
    ])();
  }

  #assignment(): string {
    const name = this.#dice.pick(["V1", "V2", "V3"]);
    this.#variables.push(name);
    if (this.#dice.chance(15)) return `LIST=(${this.#words(3).join(" ")})`;
    return `${name}${this.#dice.chance(10) ? "+" : ""}=${this.#word()}`;
  }

  #stub(): string {
    const name = this.#dice.pick(["ok1", "ok2", "ok3", "fail1", "fail2"]);
    const program = this.#dice.chance(70)
      ? name
      : this.#dice.chance(70)
        ? quoteRandomly(name, this.#dice)
        : `$(echo ${name})`;
    const words = this.#words(3);
    const prefix = this.#dice.chance(5) ? `${this.#file()} ${program}`.replace(/^/, "> ") : program;
    return `${prefix} ${this.#id()}${words.length > 0 ? ` ${words.join(" ")}` : ""}`;
  }

  #words(most: number): string[] {
    return Array.from({ length: this.#dice.roll(most + 1) }, () => this.#word());
  }

  #word(): string {
    if (this.#dice.chance(60)) return quoteRandomly(this.#dice.pick(TEXTS), this.#dice);
    const name =
      this.#variables.length > 0 && this.#dice.chance(70)
        ? this.#dice.pick(this.#variables)
        : this.#dice.pick(["V1", "V2", "HOME", "OUTSIDE"]);
    return this.#dice.pick([
      () => `$${name}`,
      () => `"$${name}"`,
      () => `\${${name}}x`,
      () => `"a \${${name}} b"`,
      () => `\${${name}:-${this.#dice.pick(["d", "'d e'", "d e", "$(ok3 dflt)"])}}`,
      () => `"\${${name}:=set}"`,
      () => `\${${name}+is}`,
      () => `\${#${name}}`,
      () => `\${${name}%x}`,
      () => `$((1 + ${this.#dice.roll(9)}))`,
      () => "{a,b}",
      () => `pre{1..${1 + this.#dice.roll(4)}}`,
      () => `{x,${this.#dice.pick(["'q r'", "$V1", "{m,n}"])}}z`,
      () => `"$(echo ${quoteRandomly(this.#dice.pick(["lit", "a b"]), this.#dice)})"`,
      () => `$(printf '%s' ${quoteRandomly("p q", this.#dice)})`,
      () => "$(say hidden words)",
      () => '"$(say hidden)"',
      () => '"$@"',
      () => "$*",
      () => `"\${LIST[@]}"`,
      () => `\${LIST[1]}`,
      () => "~",
      () => "*.none",
      () => '"$PWD"',
      () => "$?",
      () => "`echo tick`",
    ])();
  }

  #file(): string {
    return this.#dice.pick(["out", "'out 2'", "sub/out", '"$V1"', "./out3"]);
  }

  #id(): string {
    return `n${this.#next++}`;
  }
}
