import fs from "node:fs";
import { describe } from "../core/errors.ts";
import { registryIn } from "../domain/team/service.ts";
import { Database } from "../state/database.ts";
import { openTeamSocket, type Standing, type TeamSocket, type TeamSocketOptions } from "./team-socket.ts";

const BUSY_MS = 1_000;
const MOST_HOMES = 4;

export interface TeamSockets {
  /** Serves the socket of this home if no daemon does; returns who serves it. */
  serve(home: string): Promise<Standing>;
  /** Serves again the homes that earlier daemons served. */
  serveAgain(also: readonly string[]): Promise<void>;
  standings(): Record<string, Standing>;
  close(): void;
}

/** The team sockets of all homes: nearly always one, more if ATM_HOME is set differently somewhere. */
export function teamSockets(options: Omit<TeamSocketOptions, "home">): TeamSockets {
  const open = new Map<string, TeamSocket>();
  let queue: Promise<unknown> = Promise.resolve();

  async function serveNow(home: string): Promise<Standing> {
    const before = open.get(home);
    if (before?.isOurs()) return before.standing;
    before?.close();
    open.delete(home);
    if (open.size >= MOST_HOMES) return { owner: "nobody", problem: `${MOST_HOMES} other homes are served already` };
    try {
      const socket = await openTeamSocket({ ...options, home });
      open.set(home, socket);
      const { standing } = socket;
      options.log(`teams at ${home}: ${"problem" in standing ? standing.problem : `served by ${standing.owner}`}`);
      return standing;
    } catch (error) {
      options.log(`teams at ${home}: ${describe(error)}`);
      return { owner: "nobody", problem: describe(error) };
    }
  }

  function knownHomes(): string[] {
    if (!fs.existsSync(options.database)) return [];
    const db = new Database(options.database, BUSY_MS, false);
    try {
      return registryIn(db).homes(Date.now());
    } finally {
      db.close();
    }
  }

  function serve(home: string): Promise<Standing> {
    // In a queue: two calls for the same home must not both find its socket free.
    const next = queue.then(() => serveNow(home));
    queue = next;
    return next;
  }

  return {
    serve,
    async serveAgain(also) {
      for (const home of new Set([...also, ...knownHomes()])) await serve(home);
    },
    standings: () => Object.fromEntries([...open].map(([home, { standing }]) => [home, standing])),
    close() {
      for (const socket of open.values()) socket.close();
      open.clear();
    },
  };
}
