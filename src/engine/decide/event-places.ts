import path from "node:path";
import type { Places } from "../../core/policy.ts";
import type { Ports } from "../../core/ports.ts";
import type { Home } from "../../system/home.ts";
import { runtimeDirOf } from "../../system/runtime-directory.ts";
import { homeFolder } from "../../system/user-folders.ts";

/** A class, because an object with getters of its own gets a shape of its own, which no optimised code knows. */
export class EventPlaces implements Places {
  readonly home: string;
  readonly personConfig: string;
  readonly userHome: string;
  readonly tempDir: string;
  readonly uid: number;
  readonly #policyWorker: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #settingsFiles: (userHome: string) => readonly string[];
  #agentSettings: readonly string[] | undefined;

  constructor(
    home: Home,
    env: Readonly<Record<string, string>>,
    { tempDir, uid }: Ports,
    policyWorker: string,
    settingsFiles: (userHome: string) => readonly string[],
  ) {
    this.home = home.root;
    this.personConfig = home.config;
    this.userHome = env.HOME || homeFolder();
    this.tempDir = tempDir;
    this.uid = uid;
    this.#policyWorker = policyWorker;
    this.#env = env;
    this.#settingsFiles = settingsFiles;
  }

  get runtimeDir(): string {
    return runtimeDirOf(this.#env, this.uid);
  }

  /** Every build keeps the two side by side. */
  get engine(): string {
    return path.join(path.dirname(this.#policyWorker), "engine");
  }

  get agentSettings(): readonly string[] {
    this.#agentSettings ??= this.#settingsFiles(this.userHome);
    return this.#agentSettings;
  }
}
