import { GIVEN_SHELLS } from "./across-commands/given-shells.ts";
import { SCHEDULES } from "./across-commands/schedules.ts";
import type { Family } from "./effect.ts";
import { DELETING } from "./files/deleting.ts";
import { EMPTYING } from "./files/emptying.ts";
import { PUTTING } from "./files/putting.ts";
import { REPLACING } from "./files/replacing.ts";
import { UNPACKING } from "./files/unpacking.ts";
import { GIT } from "./git/git.ts";
import { GIT_PATCHES } from "./git/patches.ts";
import { COMPILED } from "./languages/compiled-programs.ts";
import { SCRIPTS } from "./languages/interpreters.ts";
import { OLD_WINDOWS } from "./languages/old-windows-shell.ts";
import { OTHER_SCRIPTS } from "./languages/other-scripts.ts";
import { WINDOWS } from "./languages/powershell/effects.ts";
import { ACCOUNTS } from "./programs/accounts.ts";
import { CLOUDS } from "./programs/clouds.ts";
import { CONTAINERS } from "./programs/containers.ts";
import { DATA_TOOLS } from "./programs/data-tools.ts";
import { DATABASES } from "./programs/databases.ts";
import { DISKS } from "./programs/disks.ts";
import { FORGES } from "./programs/forges.ts";
import { MIGRATIONS } from "./programs/migrations.ts";
import { OTHER_VCS } from "./programs/other-vcs.ts";
import { PACKAGES } from "./programs/packages.ts";
import { PLATFORMS } from "./programs/platforms.ts";
import { PUBLISHING } from "./programs/publishing.ts";
import { REQUESTS } from "./programs/requests.ts";
import { RUNNERS } from "./programs/runners.ts";
import { STORAGE } from "./programs/storage.ts";
import { STORES } from "./programs/stores.ts";
import { SYSTEM } from "./programs/system.ts";
import { WINDOWS_TOOLS } from "./programs/windows-tools.ts";
import { PROGRAMS } from "./programs.gen.ts";

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
