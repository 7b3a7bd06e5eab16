import { ACCOUNTS } from "./accounts.ts";
import { CLOUDS } from "./clouds.ts";
import { COMPILED } from "./compiled-programs.ts";
import { CONTAINERS } from "./containers.ts";
import { DATA_TOOLS } from "./data-tools.ts";
import { DATABASES } from "./databases.ts";
import { DELETING } from "./deleting.ts";
import { DISKS } from "./disks.ts";
import type { Family } from "./effect.ts";
import { EMPTYING } from "./emptying.ts";
import { FORGES } from "./forges.ts";
import { GIT } from "./git.ts";
import { GIT_PATCHES } from "./git-patches.ts";
import { GIVEN_SHELLS } from "./given-shells.ts";
import { SCRIPTS } from "./interpreters.ts";
import { MIGRATIONS } from "./migrations.ts";
import { OLD_WINDOWS } from "./old-windows-shell.ts";
import { OTHER_SCRIPTS } from "./other-scripts.ts";
import { OTHER_VCS } from "./other-vcs.ts";
import { PACKAGES } from "./packages.ts";
import { PLATFORMS } from "./platforms.ts";
import { WINDOWS } from "./powershell.ts";
import { PROGRAMS } from "./programs.gen.ts";
import { PUBLISHING } from "./publishing.ts";
import { PUTTING } from "./putting.ts";
import { REPLACING } from "./replacing.ts";
import { REQUESTS } from "./requests.ts";
import { RUNNERS } from "./runners.ts";
import { SCHEDULES } from "./schedules.ts";
import { STORAGE } from "./storage.ts";
import { STORES } from "./stores.ts";
import { SYSTEM } from "./system.ts";
import { UNPACKING } from "./unpacking.ts";
import { WINDOWS_TOOLS } from "./windows-tools.ts";

/**
 * Every family is one file, and some programs belong to several, which are asked in this order. In the hook's bundle
 * a file is loaded when its table is: an event in a fresh process concerns few, and making all takes milliseconds.
 */
export const TABLES: Readonly<Record<string, () => Readonly<Record<string, Family>>>> = {
  deleting: () => DELETING,
  replacing: () => REPLACING,
  putting: () => PUTTING,
  emptying: () => EMPTYING,
  unpacking: () => UNPACKING,
  system: () => SYSTEM,
  schedules: () => SCHEDULES,
  disks: () => DISKS,
  packages: () => PACKAGES,
  accounts: () => ACCOUNTS,
  givenShells: () => GIVEN_SHELLS,
  runners: () => RUNNERS,
  git: () => GIT,
  gitPatches: () => GIT_PATCHES,
  otherVcs: () => OTHER_VCS,
  otherScripts: () => OTHER_SCRIPTS,
  compiled: () => COMPILED,
  databases: () => DATABASES,
  stores: () => STORES,
  dataTools: () => DATA_TOOLS,
  storage: () => STORAGE,
  migrations: () => MIGRATIONS,
  interpreters: () => SCRIPTS,
  containers: () => CONTAINERS,
  clouds: () => CLOUDS,
  platforms: () => PLATFORMS,
  requests: () => REQUESTS,
  publishing: () => PUBLISHING,
  forges: () => FORGES,
  powershell: () => WINDOWS,
  oldWindows: () => OLD_WINDOWS,
  windowsTools: () => WINDOWS_TOOLS,
};

const families = new Map<string, readonly Family[]>();

/** Those that know the program; undefined when none does. */
export function familiesOf(program: string): readonly Family[] | undefined {
  const known = families.get(program);
  if (known) return known;
  const tables = tablesOf(program);
  if (tables === undefined) return undefined;
  const found = tables.split(" ").flatMap((name) => TABLES[name]?.()[program] ?? []);
  families.set(program, found);
  return found;
}

/** The names of the tables that know the program. */
export function tableNamesOf(program: string): readonly string[] {
  return tablesOf(program)?.split(" ") ?? [];
}

/** Every program that some family knows, in the order of the tables. */
export function knownPrograms(): readonly string[] {
  return Object.values(TABLES).flatMap((table) => Object.keys(table()));
}

const byLetter = new Map<string, ReadonlyMap<string, string>>();

/** Read letter by letter: a line begins its few programs with fewer. */
function tablesOf(program: string): string | undefined {
  const letter = program.charAt(0);
  let tables = byLetter.get(letter);
  if (!tables) {
    const lines = PROGRAMS[letter]?.split(", ");
    if (!lines) return undefined;
    tables = new Map(lines.map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]));
    byLetter.set(letter, tables);
  }
  return tables.get(program);
}
