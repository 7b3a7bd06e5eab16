import { type Command, withDefaults } from "../shell/command.ts";
import { globMatches } from "../shell/expand/glob.ts";
import { readShell, type Shell } from "../shell/shell.ts";
import { withoutCreatedByLine } from "./across-commands/created-by-line.ts";
import { forkBombs } from "./across-commands/fork-bombs.ts";
import { generatedScripts } from "./across-commands/generated-scripts.ts";
import { remoteCode } from "./across-commands/remote-code.ts";
import { reverseShells } from "./across-commands/reverse-shells.ts";
import { scheduledLosses } from "./across-commands/schedules.ts";
import { sentSecrets } from "./across-commands/sent-secrets.ts";
import { type Effect, effect, effectsOfEach, KNOWN_HARMLESS, type Scene, together } from "./effect.ts";
import { familiesOf, knownPrograms } from "./families.ts";
import { redirected } from "./files/replacing.ts";
import { throughLinks } from "./line/links.ts";
import { resolveIn } from "./line/resolve.ts";
import { unknownTool } from "./unknown-programs.ts";
import { unmatchedLine } from "./unmatched-lines.ts";

/** Checks that need several commands of the line. */
const LINES: readonly ((scene: Scene, ofCommands: readonly Effect[]) => readonly Effect[])[] = [
  remoteCode,
  reverseShells,
  forkBombs,
  sentSecrets,
  generatedScripts,
  scheduledLosses,
];

/** These run their own text whatever words follow, `--help` among them. */
const INTERPRETERS = /^(?:python[\d.]*|node|nodejs|deno|bun|perl|ruby|php|osascript|awk|gawk|mawk|tclsh|lua)$/;
/** Of a pattern for a program's name. */
const LONGEST_NAME = 100;
/** Kinds that need an existing file. */
const OVERWRITES: ReadonlySet<string> = new Set(["overwrite", "truncate"]);
const MAX_NESTED = 8;
/** Of all depths together. */
const MAX_TEXTS = 120;
const MAX_LENGTH = 200_000;
const NOTHING: readonly Effect[] = [];

export interface Surroundings {
  readonly cwd: string;
  readonly userHome: string;
}

/** Everything a line would do that is worth a question, in the order of its commands. */
export function effectsOf(whole: Shell, at: Surroundings, depth = 0, texts: Texts = new Map()): readonly Effect[] {
  const shell = whole.commands.some(({ translated }) => translated)
    ? { ...whole, commands: whole.commands.filter(({ translated }) => !translated) }
    : whole;
  const scene: Scene = {
    shell,
    ...at,
    nested: (text, by) => (depth < MAX_NESTED ? nested(text, by, at, depth, texts) : []),
  };
  const effects = effectsOfEach(shell.commands, (command) => {
    const usual = withDefaults(command);
    const found = throughLinks(onlyWhereThere(commandEffects(usual, scene), command, scene), command, scene);
    return usual === command ? found : found.map((one) => ({ ...one, by: command, certainty: "possible" as const }));
  });
  return [...effects, ...LINES.flatMap((line) => line(scene, effects))];
}

/** `[ -e x ] || cp y x`: where nothing is, nothing is overwritten. */
function onlyWhereThere(effects: readonly Effect[], { absent }: Command, { cwd }: Scene): readonly Effect[] {
  if (absent.length === 0 || effects.length === 0) return effects;
  const places = absent.map((place) => resolveIn("/", cwd, place));
  return effects.filter(({ kind, path }) => !OVERWRITES.has(kind) || path === undefined || !places.includes(path));
}

function commandEffects(command: Command, scene: Scene): readonly Effect[] {
  // Nothing on the line calls it.
  if (command.uncertain.includes("uncalled")) return NOTHING;
  const opened = command.redirections.length > 0 ? redirected(command, scene) : NOTHING;
  const name = command.program ?? guessed(command);
  if (onlyHelps(command) || name === "") return opened;
  const own = programEffects(name, command, scene);
  return opened.length === 0 ? own : [...own, ...opened];
}

/** By the rules for the program. Where none of them fits the line, or there are none, by what any line would say. */
function programEffects(name: string, command: Command, scene: Scene): readonly Effect[] {
  // `npx prisma@5`: the version is no part of the name.
  const program = name.includes("@") && !familiesOf(name) ? name.replace(/@[^@/]*$/, "") : name;
  const families = familiesOf(program);
  if (!families) return unknownTool(command, scene);
  let isReadOn = false;
  const watched: Scene = {
    ...scene,
    nested(text, by) {
      isReadOn ||= text !== "";
      return scene.nested(text, by);
    },
  };
  const found = together(families.map((family) => family(command, watched)));
  if (found.length > 0) return withoutCreatedByLine(found, program, command, scene);
  return found === KNOWN_HARMLESS || isReadOn ? found : unmatchedLine(program, command, scene);
}

/** A program whose name is a pattern: the one of ours that it fits. */
function guessed({ argv: [first] }: Command): string {
  if (!first?.glob) return "";
  const name = first.text.slice(first.text.lastIndexOf("/") + 1);
  if (name.length > LONGEST_NAME) return "";
  for (const program of knownPrograms()) if (globMatches(name, program)) return program;
  return "";
}

function onlyHelps(command: Command): boolean {
  if (!command.args.includes("--help") && !command.args.includes("--version")) return false;
  if (INTERPRETERS.test(command.program ?? "")) return false;
  const end = command.args.indexOf("--");
  const options = end < 0 ? command.args : command.args.slice(0, end);
  // `cargo yank --version 1.0.0`: with a value it is another option.
  const version = options.indexOf("--version");
  return options.includes("--help") || version === 0 || (version > 0 && version === options.length - 1);
}

/** Texts for other shells that were read already, by depth, folder and text. */
type Texts = Map<string, readonly Effect[]>;
const MORE = "hands other shells more texts than can be read";

function nested(text: string, by: Command, at: Surroundings, depth: number, texts: Texts): readonly Effect[] {
  const cwd = by.cwd === undefined ? at.cwd : by.cwd.startsWith("/") ? by.cwd : `${at.cwd}/${by.cwd}`;
  const key = `${depth}\0${cwd}\0${text}`;
  let effects = texts.get(key);
  if (!effects) {
    let length = text.length;
    for (const known of texts.keys()) length += known.length;
    if (texts.size >= MAX_TEXTS || length > MAX_LENGTH) return [effect("remote-code", by, MORE)];
    texts.set(key, NOTHING);
    const shell = readShell(text, { cwd, variables: { HOME: at.userHome } });
    effects = effectsOf(shell, { ...at, cwd }, depth + 1, texts);
    texts.set(key, effects);
  }
  return effects.map((one) => ({ ...one, by }));
}
