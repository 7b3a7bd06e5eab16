import type { Ports } from "../../core/ports.ts";
import type { StoreDefinition } from "../../core/store.ts";
import type { Database } from "../../state/database.ts";
import type { SnapshotOf } from "../../state/sessions.ts";
import { type Folder, type Folders, LOOK_YOURSELF, type Seen } from "../../system/folders.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** For whom a store looks. */
export interface Asker extends Pick<SnapshotOf, "agent" | "session" | "project"> {
  readonly cwd: string;
  readonly userHome: string;
}

type Store = StoreDefinition<unknown>;

/** What a store went by when it found nothing to take over. As long as that stays so, there is nothing. */
interface Quiet {
  readonly asker: Asker;
  readonly db: Database;
  readonly generation: number;
  readonly env: ReadonlyMap<string, string | undefined>;
  readonly folders: ReadonlyMap<Folder, Seen>;
}

/** More than there are agents at once: entries that come and go with every event would outlive it, and fill the heap. */
const MOST_SESSIONS = 500;

/** A store that looks at the outside, and whether it saw nothing but files that are missing. */
export interface Watch {
  readonly ports: Ports;
  env(name: string): string | undefined;
  /** Nothing was found to take over. */
  isQuiet(): void;
}

/** Most stores have no files at all. They need not look for them again until one could have appeared. */
export class QuietStores {
  readonly #folders: Folders;
  /** By session. To put all of an asker's names together into one would take longer than everything else here. */
  #known = new Map<string, Map<Store, Quiet>>();

  constructor(folders: Folders) {
    this.#folders = folders;
  }

  has(store: Store, asker: Asker, db: Database, env: Env): boolean {
    const quiet = this.#known.get(asker.session)?.get(store);
    if (quiet === undefined || quiet.db !== db || quiet.generation !== db.generation) return false;
    const { agent, project, cwd, userHome } = quiet.asker;
    if (agent !== asker.agent || project !== asker.project || cwd !== asker.cwd || userHome !== asker.userHome)
      return false;
    for (const [variable, value] of quiet.env) if (env[variable] !== value) return false;
    for (const [folder, seen] of quiet.folders) if (folder.see() !== seen) return false;
    return true;
  }

  watch(store: Store, asker: Asker, db: Database, env: Env, ports: Ports): Watch {
    const { generation } = db;
    const asked = new Map<string, string | undefined>();
    const folders = new Map<Folder, Seen>();
    let isSure = true;
    const looking =
      <T>(look: (file: string) => T) =>
      (file: string): T | undefined => {
        const missing = this.#folders.missing(file);
        if (!missing) {
          isSure = false;
          return look(file);
        }
        const { folder, seen } = missing;
        isSure &&= (folders.get(folder) ?? seen) === seen;
        folders.set(folder, seen);
        return undefined;
      };
    return {
      ports: {
        ...ports,
        info: looking(ports.info),
        stamp: looking(ports.stamp),
        list: looking(ports.list),
        isAlive: (pid) => {
          isSure = false;
          return ports.isAlive(pid);
        },
      },
      env: (variable) => {
        asked.set(variable, env[variable]);
        return env[variable];
      },
      isQuiet: () => {
        if (!isSure || db.generation !== generation) return;
        if (this.#known.size >= MOST_SESSIONS) this.#known = new Map();
        const stores = this.#known.get(asker.session) ?? new Map<Store, Quiet>();
        stores.set(store, { asker, db, generation, env: asked, folders });
        this.#known.set(asker.session, stores);
      },
    };
  }
}

export const NEVER_QUIET = new QuietStores(LOOK_YOURSELF);
