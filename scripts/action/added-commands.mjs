// Which command lines a pull request adds: in shell scripts, in package.json, and in the settings of agents.
import fs from "node:fs";

const SHELL_SCRIPT = /\.(?:sh|bash)$/;
const SETTINGS = /(?:^|\/)\.(?:claude|codex|gemini|qwen|factory)\/(?:settings(?:\.local)?|hooks)\.json$/;
const PACKAGE = /(?:^|\/)package\.json$/;

/** Each with its file and line. A script counts as one command, because its lines belong together. */
export function addedCommands(base, git) {
  const changed = git("diff", "--name-only", "-z", "--diff-filter=d", `${base}...HEAD`).split("\0").filter(Boolean);
  return changed.flatMap((file) => {
    if (fs.lstatSync(file).isSymbolicLink()) return [];
    if (SHELL_SCRIPT.test(file)) return [{ file, line: 1, command: fs.readFileSync(file, "utf8") }];
    if (!SETTINGS.test(file) && !PACKAGE.test(file)) return [];
    const text = fs.readFileSync(file, "utf8");
    const before = commandsIn(file, textAt(base, file, git)).map(({ command }) => command);
    return commandsIn(file, text).filter(({ command }) => !before.includes(command));
  });
}

function textAt(base, file, git) {
  const common = git("merge-base", base, "HEAD").trim();
  return git("ls-tree", "--name-only", common, "--", file) === "" ? "{}" : git("show", `${common}:${file}`);
}

function commandsIn(file, text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    console.log(`${file} is not JSON, so its commands were not checked.`);
    return [];
  }
  const found = PACKAGE.test(file) ? Object.values(value?.scripts ?? {}) : hookCommands(value?.hooks);
  const commands = found.filter((command) => typeof command === "string" && command !== "");
  return commands.map((command) => ({ file, line: lineOf(text, command), command }));
}

/** Every `command` at any depth; with `args` it is a program, which is called without a shell. */
function hookCommands(value) {
  if (typeof value !== "object" || value === null) return [];
  const own = typeof value.command === "string" ? [lineFor(value.command, value.args)] : [];
  return [...own, ...Object.values(value).flatMap(hookCommands)];
}

function lineFor(command, args) {
  if (!Array.isArray(args)) return command;
  return [command, ...args].map((word) => `'${String(word).replaceAll("'", "'\\''")}'`).join(" ");
}

function lineOf(text, command) {
  const at = text.indexOf(JSON.stringify(command));
  return at < 0 ? 1 : text.slice(0, at).split("\n").length;
}
