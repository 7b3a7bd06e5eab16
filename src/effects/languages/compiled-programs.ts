import type { Command } from "../../shell/command.ts";
import type { Effect, Family, Scene } from "../effect.ts";
import { lineIndex } from "../line/line-index.ts";
import { named } from "../loose-options.ts";
import { filesOf, JVM, readCode, type ScriptLanguage } from "./other-scripts.ts";

const GO: ScriptLanguage = {
  tree: /^os\.RemoveAll$/,
  file: /^os\.Remove$/,
  shell: /^exec\.Command(?:Context)?$/,
};
const C: ScriptLanguage = {
  tree: /(?:^|::)remove_all$/,
  file: /(?:^|::)(?:remove|unlink)$/,
  shell: /(?:^|::)(?:system|popen|execlp?)$/,
};
const RUST: ScriptLanguage = {
  tree: /(?:^|::)remove_dir_all$/,
  file: /(?:^|::)remove_file$/,
  // Command::new("sh").arg("-c").arg("line"), .args(["-c", "line"])
  lines: /(\("-c"\)\s{0,99}\.arg\(|\["-c",\s{0,99})"([^"\n]{1,500})"/g,
};

/** A program that the line writes, makes and starts. */
const compiled =
  (language: ScriptLanguage): Family =>
  (command, scene) =>
    startsLater(command, scene) ? sources(language, command, scene) : [];

const go: Family = (command, scene) => {
  const [task] = command.args;
  if (task === "run") return sources(GO, command, scene);
  return task === "build" ? compiled(GO)(command, scene) : [];
};

function sources(language: ScriptLanguage, command: Command, scene: Scene): readonly Effect[] {
  const words = command.argv.slice(1).filter(({ text }) => /\.(?:go|c|cc|cpp|cxx|rs|java)$/.test(text));
  return filesOf(words, command, scene).flatMap((code) => readCode(code, language, command, scene));
}

/** Some program in a folder of its own is started after it, or Java's machine. */
function startsLater(command: Command, { shell }: Scene): boolean {
  const at = lineIndex(shell).positions.get(command) ?? 0;
  return shell.commands.slice(at + 1).some(({ argv: [first] }) => /\/|^java$/.test(first?.text ?? ""));
}

export const COMPILED: Readonly<Record<string, Family>> = {
  ...named("gcc cc g++ c++ clang clang++ tcc", compiled(C)),
  rustc: compiled(RUST),
  javac: compiled(JVM),
  go,
  java: (command, scene) => sources(JVM, command, scene),
};
