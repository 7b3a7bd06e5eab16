/** Which long texts are refused, and that replacing runs of literal words by filler words changes no result. */
import { describe, expect, it } from "vitest";
import { readShell } from "../shell.ts";
import { Reader } from "../walk/reader.ts";
import { FILLER, prescan, SHORT } from "./prescan.ts";
import { parseTree } from "./tree.ts";

const RUN = Array.from({ length: 1200 }, (_, at) => `src/w${at}.ts`).join(" ");
const SETTINGS = Array.from({ length: 1200 }, (_, at) => `V${at}=x${at}`).join(" ");

/** Places for a run of words: `RUN` is a run of paths, `SET` one of words with an equals sign. */
const LINES = [
  "git add RUN",
  "git add RUN; rm -rf /",
  "rm -rf RUN\nrm -rf ~",
  "cd sub && prettier --write RUN 2>&1 | tail -3",
  "echo RUN > out.txt",
  "echo > out.txt RUN",
  "A=1 B=2 echo RUN",
  "SET rm -rf /",
  "env SET rm -rf /",
  "export SET; rm -rf $V1000",
  "export RUN SET; rm -rf $V1000",
  "declare -x SET\necho $V7",
  "alias SET; ls",
  `a=(RUN); rm ${"$"}{a[500]}`,
  "for f in RUN; do rm $f; done",
  "for f in RUN; do rm 'x'; done; echo RUN",
  "select f in RUN; do echo $f; done",
  "echo $(echo RUN) RUN",
  'echo "RUN" RUN',
  "echo 'RUN' RUN\"a b\"",
  "echo it\\'s RUN\\ x",
  "# don't RUN\necho RUN",
  "cat <<EOF RUN\nRUN\nEOF\nrm x RUN",
  "cat > f <<'EOF'\nit's RUN\nEOF\nrm -rf / RUN",
  "if test RUN; then rm RUN; fi",
  "case x in a) rm RUN ;; esac",
  "f() { rm RUN; }; f RUN",
  "sudo nice rm RUN",
  "ls | xargs rm RUN",
  "bash -c 'rm -rf RUN' RUN",
  "set -- RUN; shift 1000; rm $3",
  "[[ RUN ]]",
  "(( RUN ))",
  "read RUN < f; rm $w",
  "echo   RUN   RUN  x",
  "\tRUN",
  "RUN RUN",
  ": > RUN",
  "x=RUN y",
].map((line) => line.replaceAll("RUN", RUN).replaceAll("SET", SETTINGS));

function reading(text: string, hideRuns: boolean): unknown {
  const reader = new Reader({ parse: (one) => parseTree(one, hideRuns), cwd: "/work", variables: {} });
  const unreadable = reader.read(text);
  return { unreadable, commands: reader.commands, loops: reader.loops };
}

describe("runs of literal words", () => {
  it.each(LINES.map((line) => [line.slice(0, 50), line]))("%s", (_begins, line) => {
    expect(line.length).toBeGreaterThan(SHORT);
    const [hidden, plain] = [reading(line, true), reading(line, false)];
    // Without filler words a line may be too large for the parser.
    if (JSON.stringify(plain).includes("words and signs")) expect(line.split(" ").length).toBeGreaterThan(2000);
    else expect(hidden).toEqual(plain);
  });

  it("are hidden in most of these, and the text keeps its length", () => {
    const prescanned = LINES.map((line) => prescan(line, true));
    expect(prescanned.filter(({ runs }) => runs.size > 0).length).toBeGreaterThan(25);
    for (const [at, line] of LINES.entries()) {
      const { text = "", runs = new Map<number, string>() } = prescanned[at] ?? {};
      let whole = text;
      for (const [start, run] of runs) whole = whole.slice(0, start) + run + whole.slice(start + run.length);
      expect([text.length, whole]).toEqual([line.length, line]);
    }
  });

  it("stay as they are where the text has the sign that would stand between them", () => {
    const line = `echo ${FILLER} ${RUN}`;
    expect(prescan(line, true).text).toBe(line);
  });
});

describe("what is only data is not counted", () => {
  const prose = "find the thing, rm -rf it & (perhaps) don't 'quote' \"it\" for $5; a | b\n".repeat(1300);
  const half = "don't; 'a' | b\n".repeat(2000);
  const json = `{${'"key": [1, 2, {"a": "b"}], '.repeat(3500)}"z": 1}`;
  it.each([
    ["a here-document", `cat > f <<'EOF'\n${prose}EOF\necho done`],
    ["one with tabs", `cat > f <<-"EOF"\n${prose}\tEOF\necho done`],
    ["two of them", `cat > f <<'A'; cat > g <<'B'\n${half}A\n${half}B\necho done`],
    ["single quotes", `curl -d '${json}' https://x.test`],
    ["double quotes", `curl -d "${json.replaceAll('"', '\\"')}" https://x.test`],
    ["quotes after a substitution in quotes", `curl -H "X: $(cat "a b")" -d '${json}' https://x.test`],
    ["a message from a here-document", `git commit -m "$(cat <<'EOF'\n${prose}EOF\n)"`],
    ["a comment", `# ${prose.replaceAll("\n", " ")}\necho done`],
    ["quotes of bash", `echo $'it\\'s ${"a; ".repeat(30_000)}' x`],
  ])("%s", (_name, line) => {
    const { unreadable, commands } = readShell(line);
    expect(unreadable).toBeUndefined();
    expect(commands.length).toBeLessThan(5);
  });
});

describe("what hides behind it is still read", () => {
  it.each([
    [`echo ${RUN}; rm -rf /`, "rm"],
    [`echo '${"a; ".repeat(30_000)}'; rm -rf /`, "rm"],
    [`echo "<<EOF"\nrm -rf /\n${"text ".repeat(2000)}\nEOF\n`, "rm"],
    [`echo $((1<<EOF))\nrm -rf /\n${"text ".repeat(2000)}\nEOF\n`, "rm"],
    [`cat <<'A' # <<'B'\n${"text; ".repeat(2000)}\nA\nrm -rf /`, "rm"],
    [`env ${"A=1 ".repeat(25_000)}rm -rf /`, "rm"],
    // The prescan takes the quote in the comment for an open quote.
    [`echo \`#'\`; bash -c '# \`\n: a b c d e f g h ${RUN} i\nrm -rf /'`, "rm"],
    [`echo \`#'\`; bash -c '# \`\nnice rm -rf a b c d e f g h ${RUN} / i'`, "rm"],
  ])("behind data: %#", (line, program) => {
    const { unreadable, commands } = readShell(line);
    expect([unreadable, commands.map((command) => command.program)]).toEqual([
      undefined,
      expect.arrayContaining([program]),
    ]);
  });
});
