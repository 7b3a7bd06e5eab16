import { describe, expect, it } from "vitest";
import { fastestMs } from "../../../test/support/cost.ts";
import type { Syntax } from "./comment.ts";
import { commentsOf } from "./comments-of.ts";
import { SYNTAXES } from "./syntaxes.ts";

/** `line kind text` of every comment. */
function found(language: string, text: string): string[] {
  const syntax = SYNTAXES.get(language);
  if (!syntax) throw new Error(`${language} is not known`);
  // As `$_{`, a placeholder of the text itself is not mistaken for one of this file.
  return commentsOf(text.replaceAll("$_{", "$\u007b"), syntax).map(
    ({ kind, line, text: words }) => `${line} ${kind} ${words}`,
  );
}

type Case = readonly [name: string, text: string, ...comments: string[]];

function check(language: string, cases: readonly Case[]): void {
  describe(language, () => {
    it.each(cases.map(([name, text, ...comments]) => ({ name, text, comments })))("$name", ({ text, comments }) => {
      expect(found(language, text)).toEqual(comments);
    });
  });
}

check("ts", [
  ["a line", "a();\n// first\nb(); // second", "2 line first", "3 line second"],
  ["a block", "/* one */ a(); /*\n * two\n * three\n */", "1 block one", "1 block two three"],
  ["documentation", "/** Adds. */\n/// reference", "1 block Adds.", "2 line reference"],
  ["an address in a string", 'fetch("http://example.org/a"); // yes', "1 line yes"],
  ["a string with an escaped quote", "x(\"\\\"// no\"); y('\\'// no')"],
  ["a string over two lines", 'x("a \\\n // no")'],
  ["quotes in a comment", "// it's one\n// it's another", "1 line it's one", "2 line it's another"],
  ["a template", "x(`http://a // no /* no */`)"],
  ["code in a template", "x(`$_{a /* yes */} // no $_{`$_{b} // no`} // no`) // end", "1 block yes", "1 line end"],
  ["an object in a template", "x(`$_{{ a: `}` }} // no`); // yes", "1 line yes"],
  ["a template that is not closed", "x(`$_{a} // no"],
  ["braces outside of a template", "function f() { return `a`; } // yes", "1 line yes"],
  ["an escape in a template", "x(`\\` // no`, `\\${ // no`)"],
  ["a regular expression", "const a = /https?:\\/\\//; // yes", "1 line yes"],
  ["one with a class", "a.match(/[/*]//* yes */)", "1 block yes"],
  ["one behind a keyword", "return /\\/\\/ no/.test(a)"],
  ["one behind a brace", "if (a) {}\n/'\\/\\//.test(a); // yes", "2 line yes"],
  ["a division", "a = b / c // yes\n/ d; // yes too", "1 line yes", "2 line yes too"],
  ["a division by what returns", "a.return / 2; '// no'; x / 3"],
  ["a division behind a bracket", "(a) / b[1] / c; // yes", "1 line yes"],
  ["quotes behind a division", "a / 2; x = '// no'; b / 3;"],
  ["a single quote in a regular expression", "a = /'/; b = '// no';"],
  ["a block that is not closed", "a(); /* to the end\n b()", "1 block to the end b()"],
  ["nothing", ""],
  ["a path of a file", 'import a from "./a//b.ts";'],
]);
check("tsx", [
  ["an address between tags", "<p>http://example.org</p> // yes", "1 line yes"],
  ["a comment between tags", "<p>{/* yes */}</p>", "1 block yes"],
  ["a closing tag before a string", '<b>a</b>; x("// no")'],
]);
check("c", [
  ["a character", "char a = '\"'; // yes", "1 line yes"],
  ["a raw string", 'auto a = R"x(" // no )" )x"; // yes', "1 line yes"],
  ["separated digits", "int a = 1'000; // yes", "1 line yes"],
]);
check("java", [
  ["a text block", 'var a = """\n  // no " no\n  """; // yes', "3 line yes"],
  ["a character", "char a = '\\''; // yes", "1 line yes"],
]);
check("cs", [
  ["a verbatim string", 'var a = @"c:\\"; // yes', "1 line yes"],
  ["doubled quotes", 'var a = $@"a"" // no"; // yes', "1 line yes"],
]);
check("go", [
  ["a raw string", "a := `// no\n// no` // yes", "2 line yes"],
  ["code for C", '/*\n#include <a.h>\n*/\nimport "C" // yes', "4 line yes"],
]);
check("rs", [
  ["lifetimes", "fn f<'a>(x: &'a str) {} // it's", "1 line it's"],
  ["a character", "let a = '\"'; // yes", "1 line yes"],
  ["an escaped character", "let a = '\\u{1F600}'; let b = '\\''; // yes", "1 line yes"],
  ["a raw string", 'let a = r#" " // no "#; let b = r"\\"; // yes', "1 line yes"],
  ["a comment in a comment", "/* a /* b */ c */ d // yes", "1 block a /* b */ c", "1 line yes"],
  ["a comment in it that is not closed", "/* a /* b */ d", "1 block a /* b */ d"],
]);
check("swift", [["a raw string", 'let a = #"" // no"#; // yes', "1 line yes"]]);
check("kt", [["a raw string", 'val a = """ // no """ // yes', "1 line yes"]]);
check("py", [
  ["a line", "a = 1  # yes", "1 line yes"],
  ["a string", "a = '# no' + \"# no\" # yes", "1 line yes"],
  ["a module's text", '"""About it."""\na = 1', "1 docstring About it."],
  ["a function's text", 'def f(a: int) -> int:\n    """Adds.\n\n    More.\n    """', "2 docstring Adds. More."],
  ["one behind a comment", 'def f():\n    # yes\n    r"""Adds."""', "2 line yes", "3 docstring Adds."],
  ["a value over lines", 'a = """\n# no\n"""\nf("""\n# no\n""")'],
  ["a value in a dictionary", 'a = {"k": """# no"""}'],
  ["a formatted value", 'def f():\n    return f"""# no"""'],
  ["single quotes", "def f():\n  '''Adds.'''", "2 docstring Adds."],
  ["a string that is not closed", 'a = """ # no'],
]);
check("rb", [
  ["a line", "a = 1 # yes", "1 line yes"],
  ["inserted code", 'a = "#{b} # no" # yes', "1 line yes"],
  ["a here-document", "a = <<~EOS\n  # no\n  EOS\nb # yes", "4 line yes"],
  ["a block", "=begin\nyes\n=end\na", "1 block yes"],
  ["what follows the program", "a\n__END__\n# no"],
  ["a regular expression", "a =~ /# no/ # yes", "1 line yes"],
]);
check("sh", [
  ["a line", "#!/bin/sh\nls # yes\n# too", "1 line !/bin/sh", "2 line yes", "3 line too"],
  ["no word begins there", "echo a#no $# $_{#a} $_{a#b} \\# no"],
  ["strings", "echo '# no' \"# no\" $'\\' # no' # yes", "1 line yes"],
  ["a string in a substitution", 'a="$(grep "x # no" f) # no"; b="$(echo \')\' "$(c)")" # yes', "1 line yes"],
  ["a here-document", "cat <<EOF\n# no\nEOF\nls # yes", "4 line yes"],
  ["one with tabs", "cat <<-'E'\n\t# no\n\tE\nls # yes", "4 line yes"],
  ["one that is not closed", "cat <<EOF\n# no"],
  ["a here-string", "cat <<< a # yes", "1 line yes"],
  ["a comment behind a semicolon", "ls;# yes", "1 line yes"],
]);
check("yaml", [
  ["a line", "# yes\na: 1 # too", "1 line yes", "2 line too"],
  ["a word", "a: b#no"],
  ["an apostrophe", "a: it's # yes", "1 line yes"],
  ["quotes", "a: '# no' # yes\nb: \"# no\"", "1 line yes"],
  ["a block of text", "a: |\n  # no\n\n  # no\nb: 1 # yes", "5 line yes"],
  ["one in a list", "- >-\n  # no\n- b # yes", "3 line yes"],
  ["one at the end", "run: |\n  # no"],
  ["a pipe that is none", "a: b | # yes", "1 line yes"],
]);
check("toml", [
  ["a line", 'a = "# no" # yes', "1 line yes"],
  ["texts over lines", "a = \"\"\"\n# no\"\"\"\nb = '''\n# no''' # yes", "4 line yes"],
]);
check("html", [
  ["a comment", "<p>\n<!-- yes --></p>", "2 block yes"],
  ["one in an attribute", '<a title="<!-- no -->">'],
  ["one in a script", '<script>a = "<!-- no -->"</script><!-- yes -->', "1 block yes"],
  ["an address", '<a href="http://a"># -- // no</a>'],
]);
check("sql", [
  ["lines and blocks", "select 1 -- yes\n/* too */", "1 line yes", "2 block too"],
  ["strings", "select '-- no', 'it''s -- no', \"-- no\" -- yes", "1 line yes"],
]);
check("lua", [
  ["lines and blocks", "a = 1 -- yes\n--[[ too\n]] b", "1 line yes", "2 block too"],
  ["strings", "a = '-- no' b = [[ -- no ]] c = [=[ ]] -- no ]=] -- yes", "1 line yes"],
]);

it("rows of marks are kept as a text", () => {
  expect(found("ts", "// -----\n//////")).toEqual(["1 line -----", "2 line ///"]);
  expect(found("py", "#######")).toEqual(["1 line ######"]);
});

it.each([
  ["js", "/["],
  ["js", "`${"],
  ["swift", "#"],
  ["sh", 'r#"'],
  ["sh", '"$('],
  ["yaml", 'r#"'],
  ["py", '"""'],
  ["html", "<a '"],
])("%s: the work on %j, again and again, grows with its length alone", (language, piece) => {
  const syntax = SYNTAXES.get(language) as Syntax;
  const part = piece.repeat(10_000);
  const whole = part.repeat(20);
  const apart = fastestMs(() => Array.from({ length: 20 }, () => commentsOf(part, syntax)), 3);
  // If all of it were read at every place, it would be twenty times the work of its parts.
  expect(fastestMs(() => commentsOf(whole, syntax), 3) / apart).toBeLessThan(8);
});
