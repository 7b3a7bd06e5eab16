import * as accounts from "./accounts.ts";
import * as clouds from "./clouds.ts";
import * as containers from "./containers.ts";
import * as dataTools from "./data-tools.ts";
import * as databases from "./databases.ts";
import * as deleting from "./deleting.ts";
import * as disks from "./disks.ts";
import type { Family } from "./effect.ts";
import * as emptying from "./emptying.ts";
import * as git from "./git.ts";
import * as givenShells from "./given-shells.ts";
import * as interpreters from "./interpreters.ts";
import * as migrations from "./migrations.ts";
import * as otherScripts from "./other-scripts.ts";
import * as otherVcs from "./other-vcs.ts";
import * as packages from "./packages.ts";
import * as platforms from "./platforms.ts";
import * as powershell from "./powershell.ts";
import { PROGRAMS } from "./programs.gen.ts";
import * as publishing from "./publishing.ts";
import * as replacing from "./replacing.ts";
import * as requests from "./requests.ts";
import * as runners from "./runners.ts";
import * as schedules from "./schedules.ts";
import * as storage from "./storage.ts";
import * as stores from "./stores.ts";
import * as system from "./system.ts";
import * as windowsTools from "./windows-tools.ts";

/**
 * Every family is one file, and some programs belong to several, which are asked in this order. In the hook's bundle
 * `name.` loads the file: one event in a fresh process concerns few of them, and making all tables takes milliseconds.
 */
export const TABLES = {
  deleting: () => deleting.DELETING,
  replacing: () => replacing.REPLACING,
  emptying: () => emptying.EMPTYING,
  system: () => system.SYSTEM,
  schedules: () => schedules.SCHEDULES,
  disks: () => disks.DISKS,
  packages: () => packages.PACKAGES,
  accounts: () => accounts.ACCOUNTS,
  givenShells: () => givenShells.GIVEN_SHELLS,
  runners: () => runners.RUNNERS,
  git: () => git.GIT,
  otherVcs: () => otherVcs.OTHER_VCS,
  otherScripts: () => otherScripts.OTHER_SCRIPTS,
  databases: () => databases.DATABASES,
  stores: () => stores.STORES,
  dataTools: () => dataTools.DATA_TOOLS,
  storage: () => storage.STORAGE,
  migrations: () => migrations.MIGRATIONS,
  interpreters: () => interpreters.SCRIPTS,
  containers: () => containers.CONTAINERS,
  clouds: () => clouds.CLOUDS,
  platforms: () => platforms.PLATFORMS,
  requests: () => requests.REQUESTS,
  publishing: () => publishing.PUBLISHING,
  powershell: () => powershell.WINDOWS,
  windowsTools: () => windowsTools.WINDOWS_TOOLS,
} as const satisfies Readonly<Record<string, () => Readonly<Record<string, Family>>>>;
type Table = keyof typeof TABLES;

let tablesOf: ReadonlyMap<string, readonly Table[]> | undefined;
const families = new Map<string, readonly Family[]>();

/** Those that know the program; undefined when none does. */
export function familiesOf(program: string): readonly Family[] | undefined {
  const known = families.get(program);
  if (known) return known;
  const found = byProgram()
    .get(program)
    ?.map((table) => (TABLES[table]() as Readonly<Record<string, Family>>)[program] as Family);
  if (found) families.set(program, found);
  return found;
}

/** Every program that some family knows. */
export function knownPrograms(): Iterable<string> {
  return byProgram().keys();
}

function byProgram(): ReadonlyMap<string, readonly Table[]> {
  if (tablesOf) return tablesOf;
  const gathered = new Map<string, Table[]>();
  for (const table of Object.keys(TABLES) as Table[]) {
    for (const program of PROGRAMS[table].split(" ")) {
      const others = gathered.get(program);
      if (others) others.push(table);
      else gathered.set(program, [table]);
    }
  }
  tablesOf = gathered;
  return gathered;
}
