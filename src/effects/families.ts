import { REVERSE_SHELLS } from "./across-commands/reverse-shells.ts";
import { SCHEDULES } from "./across-commands/schedules.ts";
import type { Family } from "./effect.ts";
import { DELETING } from "./files/deleting.ts";
import { EMPTYING } from "./files/emptying.ts";
import { OUTPUT_OPTIONS } from "./files/output-options.ts";
import { REPLACING } from "./files/replacing.ts";
import { UNPACKING } from "./files/unpacking.ts";
import { GIT } from "./git/git.ts";
import { GIT_PATCHES } from "./git/patches.ts";
import { COMPILED } from "./languages/compiled-programs.ts";
import { SCRIPTS } from "./languages/interpreters.ts";
import { OTHER_SCRIPTS } from "./languages/other-scripts.ts";
import { WINDOWS } from "./languages/powershell/effects.ts";
import { WINDOWS_CMD } from "./languages/windows-cmd.ts";
import type { Program } from "./program.ts";
import { PROGRAMS, UNITS } from "./programs.gen.ts";

/**
 * Programs whose words are files, commits, scripts or addresses, which only code can read. All other programs are units,
 * one file each below `programs/`. In the hook's bundle a file is loaded when it is first used: an event in a fresh
 * process concerns few programs, and loading them all takes milliseconds.
 */
export const TABLES: Readonly<Record<string, () => Readonly<Record<string, Family>>>> = {
  deleting: () => DELETING,
  replacing: () => REPLACING,
  outputOptions: () => OUTPUT_OPTIONS,
  emptying: () => EMPTYING,
  unpacking: () => UNPACKING,
  schedules: () => SCHEDULES,
  reverseShells: () => REVERSE_SHELLS,
  git: () => GIT,
  gitPatches: () => GIT_PATCHES,
  otherScripts: () => OTHER_SCRIPTS,
  compiled: () => COMPILED,
  interpreters: () => SCRIPTS,
  powershell: () => WINDOWS,
  windowsCmd: () => WINDOWS_CMD,
};

/** The families and the unit of a program. */
interface Known {
  readonly families: readonly Family[];
  readonly unit: Program | undefined;
}

const known = new Map<string, Known>();

/** The families of the program, tables before its unit; undefined for an unknown program. */
export function familiesOf(program: string): readonly Family[] | undefined {
  return knownOf(program)?.families;
}

/** The unit that describes the program, if there is one. */
export function unitOf(program: string): Program | undefined {
  return knownOf(program)?.unit;
}

/** The names of all known programs. */
export function knownPrograms(): readonly string[] {
  return Object.keys(PROGRAMS).flatMap((letter) => [...(namesBy(letter)?.keys() ?? [])]);
}

function knownOf(program: string): Known | undefined {
  const found = known.get(program);
  if (found) return found;
  const places = namesBy(program.charAt(0))?.get(program);
  if (places === undefined) return undefined;
  const families: Family[] = [];
  let unit: Program | undefined;
  for (const place of places.split(" ")) {
    const slash = place.indexOf("/");
    const family = slash < 0 ? TABLES[place]?.()[program] : undefined;
    if (family) families.push(family);
    if (slash > 0) unit = UNITS[place.slice(0, slash)]?.(place.slice(slash + 1));
  }
  if (unit) families.push(unit.effects);
  const made = { families, unit };
  known.set(program, made);
  return made;
}

const byLetter = new Map<string, ReadonlyMap<string, string>>();

/** Parsed one letter at a time, because a line has few programs. */
function namesBy(letter: string): ReadonlyMap<string, string> | undefined {
  let names = byLetter.get(letter);
  if (!names) {
    const lines = PROGRAMS[letter]?.split(", ");
    if (!lines) return undefined;
    names = new Map(lines.map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]));
    byLetter.set(letter, names);
  }
  return names;
}
