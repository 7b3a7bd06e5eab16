/** What was left on disk: everything outside our own two folders must be as before, and inside only what belongs. */
import fs from "node:fs";
import path from "node:path";
import type { World } from "./world.ts";

const IN_HOME =
  /^(?:state\.db(?:-wal|-shm)?|state\.db\.corrupt-[\dTZ-]+(?:-wal|-shm)?|config\.yml|crash-points-allowed|cache(?:\/(?:config|yaml)-[\w-]+\.json)?)$/;
const IN_RUNTIME =
  /^hookwright-\d+(?:\/[0-9a-f]{12}\.(?:sock|lock|lock-journal|starting|slow|turns\.lock)|\/[0-9a-f]{32}\.unrecorded(?:-shown)?)?$/;

/** Every file and folder of the world outside home and runtime directory, with what would show a change. */
export function outside(world: World): Record<string, string> {
  const entries = below(world.root).filter(
    (file) => !isWithin(file, world.home) && !isWithin(file, world.runtime) && file !== world.root,
  );
  return Object.fromEntries(
    entries.map((file) => {
      const stat = fs.lstatSync(file);
      return [path.relative(world.root, file), `${stat.mode.toString(8)} ${stat.size} ${stat.mtimeMs}`];
    }),
  );
}

/** Files in home and runtime directory that have no business there, or that others could reach. */
export function strays(world: World): string[] {
  const check = (folder: string, allowed: RegExp): string[] =>
    below(folder)
      .filter((file) => file !== folder && !allowed.test(path.relative(folder, file)))
      .map((file) => path.relative(world.root, file));
  const isOpen = (folder: string): boolean => fs.existsSync(folder) && (fs.statSync(folder).mode & 0o077) !== 0;
  const runtimes = fs.readdirSync(world.runtime).map((name) => path.join(world.runtime, name));
  const open = [world.home, world.database, ...runtimes].filter(isOpen).map((file) => `${file} is open to others`);
  return [...check(world.home, IN_HOME), ...check(world.runtime, IN_RUNTIME), ...open];
}

function below(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  const names = fs.readdirSync(folder, { recursive: true, encoding: "utf8" });
  return [folder, ...names.map((name) => path.join(folder, name))];
}

function isWithin(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}
