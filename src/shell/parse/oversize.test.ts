import { describe, expect, test } from "vitest";
import { effectsOf } from "../../effects/effects.ts";
import { readShell } from "../shell.ts";

const KB = 1024;
const PROSE = "find the thing, rm -rf it & (perhaps) don't 'quote' \"it\" for $5\n";
const body = (line: string): string => line.repeat((300 * KB) / line.length);

describe("a text over the limit is read without what is only data in it", () => {
  test.each([
    ["one word", `echo ${"a".repeat(300 * KB)}; ls`, ["echo", "ls"]],
    ["words", `echo ${"some words ".repeat(30 * KB)} > out.txt`, ["echo"]],
    ["text for a file", `cat > out.txt <<'EOF'\n${body(PROSE)}EOF\nwc -l out.txt`, ["cat", "wc"]],
    ["text without anything to expand", `cat > out.txt <<EOF\n${body("plain text\n")}EOF\n`, ["cat"]],
    [
      "two texts",
      `cat > a <<'EOF'\n${body(PROSE)}EOF\ncat > b <<"END"\n${body(PROSE)}EOF\n${body(PROSE)}END\n`,
      ["cat", "cat"],
    ],
  ])("%s", (_name, text, programs) => {
    const shell = readShell(text, { cwd: "/work" });
    expect([shell.unreadable, shell.commands.map(({ program }) => program)]).toEqual([undefined, programs]);
  });

  test("where it goes is still seen", () => {
    const [cat] = readShell(`cat > ~/.claude/settings.json <<'EOF'\n${body(PROSE)}EOF\n`).commands;
    expect(cat?.redirections.map(({ target }) => target?.text)).toContain("~/.claude/settings.json");
  });

  test.each([
    ["a shell reads it", `bash <<'EOF'\n${body(PROSE)}EOF\n`],
    ["a shell runs the file", `cat > a.sh <<'EOF'\n${body(PROSE)}EOF\nbash a.sh`],
    ["it only looks like a here-document", `echo "<<'EOF'"\nrm -rf /\n${body(PROSE)}EOF\n`],
    ["in a comment", `# <<'EOF'\nrm -rf /\n${body(PROSE)}EOF\n`],
    ["in single quotes", `echo '<<EOF'\nrm -rf /\n${body("plain text\n")}EOF\n`],
    ["a text that expands", `cat > a <<EOF\n$(rm -rf /)\n${body("plain text\n")}EOF\n`],
    ["another command after it", `echo ${"a".repeat(300 * KB)}; git reset --hard`],
    ["a launcher hides its command between words", `env ${"a ".repeat(150 * KB)} rm ${"a ".repeat(150 * KB)}`],
    ["a word that keeps the place of a command", `${"time ".repeat(60 * KB)} rm ${"a ".repeat(150 * KB)}`],
    ["the program is the long word", `${"a".repeat(300 * KB)} x`],
    ["a decoder and a shell", `echo ${"YWFh".repeat(80 * KB)} | base64 -d | sh`],
    ["a delimiter as long as the padding", longDelimiter("A".repeat(9 * KB), " x")],
    ["a delimiter of many words", longDelimiter(`'${"A b ".repeat(9 * KB)}'`, "")],
    ["characters of our own", `echo \uf0ff ${"a".repeat(300 * KB)}`],
    ["neither words nor a file", "(a);".repeat(80 * KB)],
  ])("not when %s", (_name, text) => {
    const shell = readShell(text);
    expect([shell.unreadable, shell.commands]).toEqual(["larger than 160 kB", []]);
  });
});

function longDelimiter(delimiter: string, after: string): string {
  return `cat <<${delimiter}${after}\nbody\n${delimiter.replaceAll("'", "")}\nrm -rf /\n# ${"a".repeat(300 * KB)}`;
}

test.each([
  ["substitutions", "$(", ")"],
  ["subshells", "( ", " )"],
  ["groups", "{ ", "; }"],
  ["conditions", "if true; then ", "; fi"],
  ["loops", "while true; do ", "; done"],
  ["launchers", "nohup ", ""],
])("190 %s deep a deletion is still found", (_name, open, close) => {
  const shell = readShell(`${open.repeat(190)}rm -rf /${close.repeat(190)}`);
  const effects = effectsOf(shell, { cwd: "/work", userHome: "/home/dev" });
  expect([shell.unreadable, effects.map(({ kind }) => kind)]).toEqual([undefined, ["delete-tree"]]);
});
