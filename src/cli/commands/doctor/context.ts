import type { Home } from "../../../system/home.ts";
import { type InstallRecord, type InstallStore, readInstalls } from "../../installation/installs.ts";
import type { SystemPlaces } from "../../installation/system-folders.ts";
import type { Terminal } from "../../terminal/confirm.ts";

/** The input of every check. */
export interface DoctorContext {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** The build that runs this command. */
  readonly dist: string;
  readonly packageRoot: string;
  readonly version: string;
  readonly build: string;
  readonly places: SystemPlaces;
  readonly terminal: Terminal;
}

export interface Installation {
  readonly store: InstallStore;
  readonly record: InstallRecord;
}

/** All installations that apply to this person: their own, and those by root for everybody. */
export function installationsOf({ home, places }: DoctorContext): Installation[] {
  return [home, places.store].flatMap((store) => readInstalls(store).records.map((record) => ({ store, record })));
}

/** The name of this build's version folder. */
export function currentVersion({ version, build }: DoctorContext): string {
  return `${version}-${build}`;
}
