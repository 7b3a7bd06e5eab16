import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe } from "../../core/errors.ts";
import { BESIDE } from "../../engine/chunks.ts";
import { Database } from "../../state/database.ts";
import { homeAt } from "../../system/home.ts";
import { readConnection } from "../connection/files.ts";
import { FleetLink } from "./link.ts";

/** The engine is in the middle of an event when the database is locked, so it is left alone soon. */
const BUSY_MS = 1_000;
/** A server that has not answered by then is out of reach. */
const LIMIT_MS = 5_000;

/** The daemon starts this with our home as argument, and holds its standard input open for as long as it lives itself. */
async function main(): Promise<void> {
  const home = homeAt(process.argv[2] ?? "", os.homedir());
  const connection = readConnection(home.fleet);
  if (!connection) return;
  const { build } = JSON.parse(fs.readFileSync(path.join(__dirname, "build.json"), "utf8")) as { build: string };
  const db = new Database(home.database, BUSY_MS, false);
  const { compileConfig } = BESIDE;
  const link = new FleetLink({ folder: home.fleet, connection, db, build, compileConfig, limitMs: LIMIT_MS });
  process.stdin
    .on("end", () => link.stop())
    .on("error", () => link.stop())
    .resume();
  await link.run();
  db.close();
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`hookwright fleet link: ${describe(error)}\n`);
    process.exit(1);
  },
);
