/** Texts of other languages that are too long to be read are asked about, unless nothing in them could do harm. */
import { expect, test } from "vitest";
import { readShell } from "../../../shell/shell.ts";
import { effectsOf } from "../../effects.ts";

const AT = { cwd: "/work", userHome: "/home/dev" };
const many = (piece: string): string => piece.repeat(Math.ceil(90_000 / piece.length));

function said(line: string): readonly string[] {
  const shell = readShell(line, { cwd: AT.cwd });
  expect(shell.unreadable).toBeUndefined();
  return effectsOf(shell, AT).map(({ why }) => why);
}

const heredoc = (program: string, text: string): string => `${program} <<'EOF'\n${text}\nEOF\n`;

test.each([
  ["Python", heredoc("python3 -", `${many('x = [1, 2, "a"]\n')}import shutil; shutil.rmtree("/")`)],
  [
    "Python by another name",
    heredoc("python3 -", `${many("x = 1\n")}getattr(__import__("o" + "s"), "rem" + "ove")("a")`),
  ],
  ["JavaScript", heredoc("node -", `${many("const x = {a: 1};\n")}require("fs").rmSync("/", {recursive: true})`)],
  ["Perl", heredoc("perl -", `${many("$x = 1;\n")}print \`rm -rf /\`;`)],
  ["Ruby", heredoc("ruby -", `${many("x = 1\n")}%x(rm -rf /)`)],
  ["PHP", `php -r '${many("$x = 1; ")}unlink("a");'`],
  ["awk", `awk '{ ${many("x = 1; ")}print "ls" | "sh" }' f`],
  ["SQL", heredoc("psql", `${many("INSERT INTO t VALUES (1, 'a');\n")}DROP TABLE users;`)],
  ["SQL after a comment", heredoc("mysql", `${many("INSERT INTO t VALUES (1, 'a');\n")}/* x */ DROP TABLE users;`)],
  ["SQL for a shell", heredoc("psql", `${many("INSERT INTO t VALUES (1, 'a');\n")}\\! rm -rf /`)],
  ["MongoDB", `mongosh --eval '${many("db.c.find({a: 1}); ")}db.dropDatabase()'`],
  ["PowerShell", `pwsh -c '${many("Get-Item a; ")}Remove-Item -Recurse b'`],
])("asked about: %s", (_name, line) => {
  expect(said(line)).toEqual([expect.stringContaining("too long to be checked")]);
});

test.each([
  ["a list in Python", heredoc("python3 -", `x = [${many('"name", 12, ')}]\nprint(len(x))`)],
  ["an object in JavaScript", heredoc("node -", `x = [${many('{"k": [1, 2]}, ')}]; console.log(x.length)`)],
  ["one long text", heredoc("python3 -", `x = """${many("rm -rf it; don't\n")}"""\nprint(x)`)],
  [
    "rows for a table",
    heredoc("psql", `INSERT INTO t VALUES ${many("(1, 'please drop; it', NULL), ")}(1, 'b', NULL);`),
  ],
  ["questions to MongoDB", `mongosh --eval '${many("db.c.find({a: 1}); ")}'`],
  ["questions of PowerShell", `pwsh -c '${many("Get-Item a | Select-Object Name; ")}'`],
])("passed: %s", (_name, line) => {
  expect(said(line)).toEqual([]);
});
