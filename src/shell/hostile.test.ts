/**
 * Lines that are written to keep the reader busy. For 32 times the text, the time may be about 32 times as long, but
 * not 1,000 times. A line that takes too much work is refused, always at the same point: work is counted, not timed.
 */
import { expect, test } from "vitest";
import { effectsOf } from "../effects/effects.ts";
import { writtenPaths } from "../effects/files/written-paths.ts";
import { readShell } from "./shell.ts";

const KB = 1024;
const AT = { cwd: "/work", userHome: "/home/dev" };

/** `size` characters of a repeated piece, which may depend on its number. */
function full(size: number, piece: string | ((at: number) => string)): string {
  let text = "";
  for (let at = 0; text.length < size; at++) text += typeof piece === "string" ? piece : piece(at);
  return text;
}

const script = (program: string, text: string): string => `${program} <<'EOF'\n${text}\nEOF\n`;

/** Lines by their size in characters. */
const LINES: readonly (readonly [name: string, line: (size: number) => string])[] = [
  ["a line of pipes", (n) => full(n / 8, "cat | ")],
  ["groups into a shell", (n) => full(n / 8, "{ echo ls; echo pwd; } | grep a | sort | sh; ")],
  ["groups in groups", (n) => `${full(n / 64, "{ echo ls; ")}${full(n / 64, "echo pwd; } | cat ")}`],
  ["a script of outputs", (n) => `bash -c "${full(n / 8, `${"$"}(echo a; echo b) `)}"`],
  ["outputs carried on", (n) => `x=${"$"}(echo a; echo b); ${full(n / 8, 'x="$x$x"; ')}eval "$x"`],
  ["texts of jq", (n) => `jq -r '${full(n / 2, '"ls \\(.a)" ')}' | sh`],
  ["steps of sed", (n) => `ls | sed '${full(n, "s/^/ls /;")}' | sh`],
  ["prints of awk", (n) => `ls | awk '{${full(n / 2, 'print "ls " $1;')}}' | sh`],
  ["elements", (n) => full(n / 4, (at) => `a[${at}]=x; `)],
  ["git after git", (n) => full(n / 4, "cp a b && git status --short | head -5\n")],
  ["settings and git", (n) => full(n / 4, "export GIT_PAGER=x; git config a.b c; git log\n")],
  ["words", (n) => `echo ${full(n, "abc ")}`],
  ["tests of find", (n) => `find . ${full(n, "-name a -o ")} -delete`],
  ["actions of find", (n) => `find . ${full(n / 4, "-exec rm {} \\; ")}`],
  ["data over the limit", (n) => `echo ${"a".repeat(n * 8)}`],
  ["letters of one option", (n) => `rm -${full(n, "rfv")} x`],
  ["long options", (n) => `git push ${full(n, (at) => `--o${at} `)}`],
  ["variables for a program", (n) => `env ${full(n, (at) => `A${at}=1 `)} rm -rf x`],
  ["assignments before a program", (n) => `${full(n, (at) => `A${at}=1 `)} rm -rf x`],
  ["a pattern for a program", (n) => `${full(n, "*a?[b]")} x`],
  ["patterns for programs", (n) => full(n / 3, (at) => `/*in/r?${at} -rf a; `)],
  ["arithmetic", (n) => full(n / 2, (at) => `((a${at}++)); `)],
  ["unknown folders", (n) => full(n / 3, (at) => `rm -rf "$a${at}"; `)],
  ["loops", (n) => full(n / 2, (at) => `for v${at} in a b c; do rm "$v${at}"; done; `)],
  ["deleted files", (n) => `rm -rf ${full(n, (at) => `a${at} `)}`],
  ["redirections", (n) => `echo x ${full(n, (at) => `> f${at} `)}`],
  ["here-documents", (n) => full(n / 2, (at) => `cat > f${at} <<'EOF'\nx\nEOF\n`)],
  ["files read back", (n) => full(n / 3, (at) => `echo 'select 1' > q${at}.sql; psql -f q${at}.sql; `)],
  ["aliases of git", (n) => `git ${full(n, (at) => `-c alias.a${at}=a${at + 1} `)}a0`],
  ["parameters", (n) => `a=xxxxxxxx; echo ${full(n, `${"$"}{a//x/yy}`)}`],
  ["quotes", (n) => `echo ${full(n, `"a"'b'$'c'`)}`],
  ["statements of SQL", (n) => `psql -c "${full(n, (at) => `DELETE FROM t${at} WHERE a=1; `)}"`],
  ["brackets of SQL", (n) => `psql -c "SELECT ${"(".repeat(n / 2)}1${")".repeat(n / 2)}"`],
  [
    "Python",
    (n) =>
      script(
        "python3 -",
        full(n, (at) => `x${at} = [1, 2, "a"]\n`),
      ),
  ],
  ["Python that deletes", (n) => script("python3 -", `import os\n${full(n, (at) => `os.remove("a${at}")\n`)}`)],
  ["members of members in Python", (n) => script("python3 -", full(n, "a."))],
  ["brackets in Python", (n) => script("python3 -", `${"(".repeat(n / 2)}${")".repeat(n / 2)}`)],
  ["imports in JavaScript", (n) => script("node -", full(n, "import x, "))],
  ["pipes in awk", (n) => `awk '${full(n, `print "a" | "b"; `)}' f`],
  ["files of awk", (n) => `awk '${full(n, (at) => `{ print > "a${at}" } `)}' f`],
  ["readings in Perl", (n) => `perl -e '${full(n, "unlink < ")}'`],
  ["texts for another shell", (n) => full(n / 5, (at) => `bash -c 'rm -rf a${at}'; `)],
  ["tildes", (n) => `echo ${full(n, "~a ")}`],
  ["tildes that are deleted", (n) => `rm ${full(n, "~/x ")}`],
  ["ends of options", (n) => `rm x ${full(n, "-- ")}`],
  ["backticks", (n) => `echo ${full(n / 32, "``")}`],
  ["numbers of processes", (n) => `echo /tmp/x${full(n, "$$")}`],
  ["variables", (n) => `echo ${full(n, (at) => `$v${at} `)}`],
  ["endings cut off", (n) => `a=/x/y/z; echo ${full(n, `${"$"}{a##*/}${"$"}{a%/*} `)}`],
  ["short loops", (n) => full(n / 2, (at) => `for v in a b c; do rm x/$v${at}; done; `)],
  ["modes", (n) => `chmod -R 777 ${full(n, (at) => `f${at} `)}`],
  ["words for xargs", (n) => `echo ${full(n, (at) => `f${at} `)} | xargs rm -f`],
  ["calls of calls in Python", (n) => script("python3 -", `x${full(n, ".f(1)")}`)],
  ["imports in Python on one line", (n) => script("python3 -", full(n, "import a "))],
  ["loops in Python on one line", (n) => script("python3 -", full(n, "a in b "))],
  ["strings with escapes in JavaScript", (n) => script("node -", `x = "${full(n, "\\n")}"`)],
  [
    "patterns in JavaScript",
    (n) =>
      script(
        "node -",
        full(n, (at) => `x = /a[b/]${at}/;\n`),
      ),
  ],
  ["quotes in Perl", (n) => script("perl -", full(n, "q{a} "))],
  ["files of awk in a row", (n) => `awk '{ print ${full(n, '> "a" ')} }' f`],
  ["Windows lines", (n) => full(n / 5, (at) => `rm -rf a${at}\r\n`)],
];

function read(line: string): string {
  const shell = readShell(line, { cwd: AT.cwd });
  const effects = effectsOf(shell, AT);
  writtenPaths(shell, AT.cwd);
  return shell.unreadable ?? `${shell.commands.length} commands, ${effects.length} effects`;
}

/** CPU time of this process, which other processes do not affect. */
function timed(line: string): number {
  const before = process.cpuUsage();
  read(line);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

test.each(LINES)("the time grows with the text and not with its square: %s", (_name, line) => {
  const [short, long] = [line(3 * KB), line(96 * KB)];
  for (let round = 0; round < 10; round++) timed(short);
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < 7 && !(most / least <= 60); round++) {
    for (let again = 0; again < 4; again++) least = Math.min(least, timed(short) || 1);
    most = Math.min(most, timed(long));
  }
  expect(most / least).toBeLessThan(300);
});

/** A unit of time: other work that takes as long as a line of 100 kB may take. */
function reference(): number {
  const before = process.cpuUsage();
  const texts = Array.from({ length: 25_000 }, (_, at) => String((at * 7919) % 25_013)).sort();
  const { user, system } = process.cpuUsage(before);
  return texts.length > 0 ? user + system : 0;
}

test.each(LINES)("a hundred kilobytes take no longer than some sorting does: %s", (_name, line) => {
  const long = line(100 * KB);
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < 12 && !(most / least <= 2); round++) {
    least = Math.min(least, reference() || 1);
    most = Math.min(most, timed(long));
  }
  expect(most / least).toBeLessThan(6);
});

test.each([
  ["launchers without end", `cat f | ${"xargs ".repeat(15_000)}rm`, "too much to follow"],
  [
    "a long text through many pipes",
    `echo '${"a".repeat(80_000)}'${" | tr a b".repeat(500)} | bash`,
    "too much to follow",
  ],
  [
    "much inside many substitutions",
    `echo ${"$(echo ".repeat(190)}${"x".repeat(98_000)}${")".repeat(190)}`,
    "nested too deeply",
  ],
  ["10,000 pipes", `cat f${" | cat".repeat(10_000)}`, "more than 8,000 words and signs"],
  [
    "an alias of an alias, 9,000 times",
    LINES.find(([name]) => name === "aliases of git")?.[1](90_000) ?? "",
    "a command with more than 4,000 words",
  ],
])("what is too much is said: %s", (_name, line, said) => {
  expect([read(line), read(line)]).toEqual([said, said]);
});

test("a letter counts behind a thousand others", () => {
  const kinds = (line: string) => effectsOf(readShell(line, { cwd: AT.cwd }), AT).map(({ kind }) => kind);
  expect(kinds(`rm -${"fv".repeat(500)} x`)).toEqual(["delete-file"]);
  expect(kinds(`rm -${"fv".repeat(500)}r${"v".repeat(500)} x`)).toEqual(["delete-tree"]);
});
