import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { HookwrightError } from "../../../core/errors.ts";
import type { Json } from "../../../core/event.ts";
import { safeName } from "../../../core/text/safe-name.ts";
import {
  ACTIVE_FILE,
  POLL_FILE,
  readActive,
  readSaveTime,
  readSpawnTime,
  SAVED_FILE,
  SPAWN_FILE,
} from "../../../domain/ntm/records.ts";
import { isPrivateOrAbsent, runtimeDirectory } from "../../../domain/ntm/runtime-directory.ts";
import { Database } from "../../../state/database.ts";
import { mirroredText, mirrorOf, setMirror, writeOpenMirrors } from "../../../state/exported-files.ts";
import { bumpRevision } from "../../../state/sessions.ts";
import { HOME_SCOPE } from "../../../state/stores.ts";
import { system } from "../../../system/system.ts";
import type { CliCommand, CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { openStateOrEmpty } from "../../state/open-state.ts";
import { table } from "../../terminal/style.ts";
import { formatRecordedTime } from "../journal/time-format.ts";

const BUSY_MS = 2_000;
const LARGEST_RECORD = 1024 * 1024;

export const ntmCommand: CliCommand = {
  name: "ntm",
  summary: "Shows which tmux fleet (session of workers) is recorded as running, or clears the record of one.",
  usage: "ntm status [--json] | ntm clear SESSION",
  details: [
    "The ntm policies decide by these records: while a fleet is recorded as active and its tmux session is alive, the",
    "orchestrator's turn goes on; a fleet whose output was not saved cannot be ended. `clear` removes the record of a",
    "fleet that no longer exists.",
  ].join("\n"),
  allowPositionals: true,
  options: { json: { type: "boolean", description: "Print the status as JSON." } },
  changes: ({ args }) => args[0] === "clear",
  run(context) {
    const [action, session] = context.args;
    if (action === "status" && session === undefined) return status(context);
    if (action === "clear" && session !== undefined) return clear(context, session);
    throw new HookwrightError("HW_USAGE", {
      detail: "Give `status`, or `clear` with the name of a session.",
      command: "ntm",
    });
  },
};

function directoryOf(env: NodeJS.ProcessEnv): string {
  const places = { tempDir: os.tmpdir(), uid: system.uid };
  return runtimeDirectory({ env: (name) => env[name], places });
}

/** Reads records as the policies do: from the database, unless the file was changed since. */
function reader(db: Database): <T>(file: string, check: (value: Json) => T | undefined) => T | undefined {
  return (file, check) => {
    const text = mirroredText(mirrorOf(db, file), system.readText(file, LARGEST_RECORD));
    try {
      return text === undefined ? undefined : check(JSON.parse(text) as Json);
    } catch (error) {
      // A broken record counts as missing, as in the policies.
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  };
}

function status({ env, options, out }: CommandContext): number {
  const directory = directoryOf(env);
  const db = openStateOrEmpty(homeOf(env).database);
  const read = reader(db);
  const active = read(path.join(directory, ACTIVE_FILE), readActive);
  const names = fs.existsSync(directory)
    ? fs.readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    : [];
  const sessions = names.map(({ name: session }) => ({
    session,
    active: session === active,
    spawned: isoOf(read(path.join(directory, session, SPAWN_FILE), readSpawnTime)),
    saved: isoOf(read(path.join(directory, session, SAVED_FILE), readSaveTime)),
  }));
  db.close();
  const isPrivate = isPrivateOrAbsent(system.info(directory), system.uid);
  if (options.json) {
    out(JSON.stringify({ directory, private: isPrivate, active: active ?? null, sessions }));
    return 0;
  }
  out(
    `Runtime directory: ${directory}${isPrivate ? "" : " (other users can write to it: ntm is denied until it is private)"}`,
  );
  out(active === undefined ? "No fleet is recorded as active." : `Active: ${active}`);
  const rows = sessions.map((one) => [one.session, shownTime(one.spawned), shownTime(one.saved)]);
  if (rows.length > 0) out(`\n${table([["session", "spawned", "saved"], ...rows])}`);
  return 0;
}

function clear({ env, out }: CommandContext, session: string): number {
  const directory = directoryOf(env);
  const db = new Database(homeOf(env).database, BUSY_MS);
  const active = reader(db)(path.join(directory, ACTIVE_FILE), readActive);
  const files = [SPAWN_FILE, SAVED_FILE, POLL_FILE].map((name) => path.join(directory, safeName(session), name));
  if (active === session) files.push(path.join(directory, ACTIVE_FILE));
  const known = files.filter((file) => fs.existsSync(file) || mirrorOf(db, file)?.content !== undefined);
  const done = db.transaction(() => {
    for (const file of known) setMirror(db, file, undefined);
    bumpRevision(db, HOME_SCOPE);
    return true;
  });
  if (!done) throw new HookwrightError("HW_STATE_BUSY");
  const problems = writeOpenMirrors(db, system.uid);
  db.close();
  for (const [file, error] of problems)
    throw new HookwrightError("HW_WRITE_FAILED", { file, detail: String(error) }, error);
  out(known.length === 0 ? `Nothing is recorded about ${session}.` : `Cleared ${known.length} records of ${session}.`);
  return 0;
}

function shownTime(time: string | undefined): string {
  return time === undefined ? "-" : formatRecordedTime(time);
}

function isoOf(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString();
}
