/**
 * Records `hookwright demo` in a terminal as an animated SVG for the README. What is shown is what the command printed;
 * only the pace is ours: a step at a time, so that it can be read. Needs `script` of util-linux.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const OUT = path.join(ROOT, "docs/pictures/demo.svg");
const COMMAND = "hookwright demo";
const COLUMNS = 100;
const ROWS = 26;
const STEP_SECONDS = 1.6;
const END_SECONDS = 5;
const [CHARACTER, LINE, LEFT, TOP] = [7.8, 19, 18, 50];
/** The codes that the command line uses, see src/cli/terminal/style.ts. */
const CLASSES = { 1: "b", 2: "d", 31: "r", 32: "g", 33: "y" };

const lines = wrapped(record());
const shownAt = times(lines);
const seconds = shownAt.at(-1) + END_SECONDS;
fs.mkdirSync(path.dirname(OUT), { recursive: true });
fs.writeFileSync(OUT, picture());

function record() {
  const command = `'${process.execPath}' '${path.join(ROOT, "bin/hookwright.mjs")}' demo`;
  const ran = spawnSync("script", ["-qec", command, "/dev/null"], {
    encoding: "utf8",
    env: { ...process.env, TERM: "xterm" },
  });
  if (ran.status !== 0) throw new Error(`the demo failed: ${ran.error?.message ?? ran.stdout}`);
  return ran.stdout
    .replaceAll("\r", "")
    .replace(/\/tmp\/hookwright-demo-\w+/g, "~")
    .trimEnd()
    .split("\n");
}

/** Lines of pieces of one colour each, as wide as the terminal at most. */
function wrapped(all) {
  return [[{ text: `$ ${COMMAND}`, look: "b" }], ...all.flatMap((line) => wrap(pieces(line)))];
}

function pieces(line) {
  const [plain, ...painted] = line.split("\u001b[");
  const parts = painted.map((part) => {
    const [code, ...text] = part.split("m");
    return { text: text.join("m"), look: CLASSES[code] ?? "" };
  });
  return [{ text: plain, look: "" }, ...parts].filter(({ text }) => text !== "");
}

/** At spaces; lines that go on keep the indent of the first one. */
function wrap(line) {
  const text = line.map((piece) => piece.text).join("");
  if (text.length <= COLUMNS) return [line];
  const indent = /^ */.exec(text)[0];
  const { look } = line.at(-1);
  const rows = [];
  let row = "";
  for (const word of text.trim().split(" ")) {
    if (row !== "" && indent.length + row.length + word.length >= COLUMNS) {
      rows.push(row);
      row = "";
    }
    row += row === "" ? word : ` ${word}`;
  }
  return [...rows, row].map((one) => [{ text: indent + one, look }]);
}

/** When each line appears: a step of the demo begins with its number. */
function times(all) {
  let now = 0;
  return all.map((line, index) => {
    const text = line.map((piece) => piece.text).join("");
    if (index > 0 && (/^ ?\d+\. /.test(text) || index === 1)) now += STEP_SECONDS;
    return now;
  });
}

function picture() {
  const width = Math.round(LEFT * 2 + COLUMNS * CHARACTER);
  const height = TOP + ROWS * LINE;
  const steps = [...new Set(shownAt)];
  const groups = steps.map((at) => {
    const own = lines.map((line, index) => ({ line, index })).filter(({ index }) => shownAt[index] === at);
    const texts = own.map(({ line, index }) => `<text y="${index * LINE}">${line.map(span).join("")}</text>`);
    return `<g>${appear(at)}${texts.join("")}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
<title>A terminal in which hookwright demo plays a session of an agent and shows every answer</title>
<style>
text { font: 13px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #e4e6ea; white-space: pre; }
.b { font-weight: 700; } .d { fill: #9aa1ad; } .r { fill: #ff9188; } .g { fill: #76c79d; } .y { fill: #e3b45a; }
</style>
<clipPath id="screen"><rect y="30" width="${width}" height="${height - 36}"/></clipPath>
<rect width="${width}" height="${height}" rx="10" fill="#14171c"/>
<g fill="#434953"><circle cx="20" cy="17" r="5"/><circle cx="38" cy="17" r="5"/><circle cx="56" cy="17" r="5"/></g>
<g clip-path="url(#screen)"><g transform="translate(${LEFT} ${TOP})"><g>${scroll(steps)}
${groups.join("\n")}
</g></g></g>
</svg>
`;
}

function span({ text, look }) {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return look === "" ? `<tspan>${escaped}</tspan>` : `<tspan class="${look}">${escaped}</tspan>`;
}

function appear(at) {
  if (at === 0) return "";
  const moments = `keyTimes="0;${share(at)}" dur="${seconds}s" calcMode="discrete" repeatCount="indefinite"`;
  return `<animate attributeName="visibility" values="hidden;visible" ${moments}/>`;
}

/** The newest line is always at the bottom of the screen. */
function scroll(steps) {
  const values = steps.map((at) => {
    const last = shownAt.lastIndexOf(at) + 1;
    return `0 ${-Math.max(0, last - ROWS + 1) * LINE}`;
  });
  const moments = `keyTimes="${steps.map(share).join(";")}" dur="${seconds}s" calcMode="discrete" repeatCount="indefinite"`;
  return `<animateTransform attributeName="transform" type="translate" values="${values.join(";")}" ${moments}/>`;
}

function share(at) {
  return (at / seconds).toFixed(4);
}
