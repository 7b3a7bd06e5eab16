import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { printable } from "../../../config/printable.ts";
import { projectRoot } from "../../../core/actor.ts";
import { HookwrightError } from "../../../core/errors.ts";
import { takeLock } from "../../../daemon/lock.ts";
import { registerUnlisted } from "../../../domain/undo/expire.ts";
import { gitIn } from "../../../domain/undo/git.ts";
import { textToRaw, type UndoSnapshot } from "../../../domain/undo/manifest.ts";
import { planRestore } from "../../../domain/undo/restore.ts";
import type { RestoreStep } from "../../../domain/undo/restore-git.ts";
import {
  type OpenSnapshot,
  openFromFolder,
  openFromGit,
  registeredSnapshots,
} from "../../../domain/undo/snapshot-store.ts";
import { takeUndoSnapshot } from "../../../domain/undo/take-snapshot.ts";
import { makeFolder } from "../../../system/make-folder.ts";
import { system } from "../../../system/system.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { confirm, type Terminal } from "../../terminal/confirm.ts";
import { styleFor, table } from "../../terminal/style.ts";
import { formatTime } from "../journal/time-format.ts";

const LONGEST_TEXT = 200;
const MOST_SHOWN = 30;
/** More time than a hook's snapshot has, because a person started it. */
const PATIENCE_MS = 120_000;
const MOST_BYTES = 4e9;

export async function runUndo(context: CommandContext, terminal: Terminal): Promise<number> {
  const { args, options, env, cwd } = context;
  const [id, ...more] = args;
  const ways = [options.list === true, options.last === true, id !== undefined].filter(Boolean).length;
  if (ways > 1 || more.length > 0) {
    const detail = "Give only one of `--list`, `--last` and the id of a snapshot.";
    throw new HookwrightError("HW_USAGE", { detail, command: "undo" });
  }
  const at = { folder: homeOf(env).undo };
  const here = await snapshotsHere(at.folder, cwd, plainEnv(env));
  if (!options.last && id === undefined) return list(context, here);
  const chosen = id === undefined ? here[0] : find(registeredSnapshots(at), id);
  if (!chosen) {
    const what =
      id === undefined ? "There is no snapshot of this project." : `There is no snapshot \`${printable(id)}\`.`;
    throw new HookwrightError("HW_NO_SNAPSHOT", { what });
  }
  makeFolder(at.folder, 0o700);
  // Two restores at the same time would overwrite each other's changes.
  const unlock = takeLock(path.join(at.folder, "undo.lock"));
  if (!unlock) throw new HookwrightError("HW_UNDO_RUNNING", {});
  try {
    return await restore(context, terminal, chosen);
  } finally {
    unlock();
  }
}

/** The snapshots of the current work tree or folder, and of folders inside it, newest first. */
async function snapshotsHere(folder: string, cwd: string, env: Record<string, string>): Promise<UndoSnapshot[]> {
  const place = fs.realpathSync(cwd);
  const project = fs.realpathSync(projectRoot(cwd, system));
  if (fs.existsSync(path.join(project, ".git"))) {
    await registerUnlisted({ folder }, project, new Set(registeredSnapshots({ folder }).map(({ id }) => id)), env);
  }
  const isHere = ({ root }: UndoSnapshot): boolean =>
    root === project || `${place}/`.startsWith(`${root}/`) || root.startsWith(`${place}/`);
  return registeredSnapshots({ folder }).filter(isHere);
}

function find(all: readonly UndoSnapshot[], given: string): UndoSnapshot | undefined {
  const found = all.filter(({ id }) => id === given || (given.length >= 4 && id.startsWith(given)));
  return found.length === 1 ? found[0] : undefined;
}

function list({ options, out }: CommandContext, snapshots: readonly UndoSnapshot[]): number {
  if (options.json) {
    out(JSON.stringify(snapshots.map(({ at, ...one }) => ({ ...one, at: new Date(at).toISOString() }))));
    return 0;
  }
  if (snapshots.length === 0) {
    out(
      "There are no snapshots of this project. Hookwright makes one before each command that would lose work when the\n" +
        "configuration says `safety: { onLoss: snapshot }`.",
    );
    return 0;
  }
  const rows = snapshots.map(({ id, at, files, bytes, what }) => [
    ...[id, formatTime(at), String(files), `${Math.ceil(bytes / 1e3)} kB`],
    printable(what, LONGEST_TEXT),
  ]);
  out(table([["id", "made at", "files", "size", "before this command"], ...rows]));
  return 0;
}

async function restore(context: CommandContext, terminal: Terminal, chosen: UndoSnapshot): Promise<number> {
  const { options, env, cwd, out, err } = context;
  const { undo } = homeOf(env);
  const snapshot = await open(undo, chosen, plainEnv(env));
  const only = [options.path ?? []].flat().map((one) => relative(String(one), cwd, chosen.root));
  context.progress?.(`Comparing ${chosen.root} with snapshot ${chosen.id}`);
  const steps = await planRestore({ snapshot, env: plainEnv(env), only, scratch: undo });
  const newer = steps.filter(({ isNewer }) => isNewer);
  const report = (isDone: boolean, backup?: string): void => {
    const words = {
      id: chosen.id,
      done: isDone,
      changes: texts(steps),
      newer: texts(newer),
      ...(backup && { backup }),
    };
    if (options.json) out(JSON.stringify(words));
  };
  const say = (text: string): void => (options.json ? undefined : out(text));
  if (steps.length === 0) {
    say(
      `Nothing to restore: ${only.length > 0 ? "what --path names" : chosen.root} is the same as in snapshot ${chosen.id}.`,
    );
    report(true);
    return 0;
  }
  if (options["dry-run"]) {
    say(shownSteps(steps, styleFor(env, terminal.output.isTTY === true).yellow));
    report(false);
    return 0;
  }
  let backup: UndoSnapshot | undefined;
  if (newer.length > 0) {
    if (!options.yes && !(await mayOverwrite(newer, err, terminal))) {
      say("Nothing was changed.");
      report(false);
      return 1;
    }
    context.progress?.("Making a snapshot of the newer work");
    backup = await keepNewer(context, snapshot, newer);
  }
  for (const [index, step] of steps.entries()) {
    context.progress?.(`Restoring ${index + 1} of ${steps.length}: ${step.what}`);
    await step.run();
  }
  say(
    `Snapshot ${chosen.id} is restored. ${steps.length === 1 ? "1 change" : `${steps.length} changes`}: ${summary(steps)}.`,
  );
  if (backup)
    say(
      `The newer work that this overwrote is in snapshot ${backup.id}: \`hookwright undo ${backup.id}\` brings it back.`,
    );
  report(true, backup?.id);
  return 0;
}

async function mayOverwrite(
  newer: readonly RestoreStep[],
  err: (text: string) => void,
  terminal: Terminal,
): Promise<boolean> {
  err("Restoring this snapshot would overwrite newer work:");
  err(shownSteps(newer, (text) => text));
  if (terminal.input.isTTY && terminal.output.isTTY)
    return confirm("Overwrite it? A snapshot of it is made first.", terminal);
  err("Add --yes to overwrite the newer work, or --path to restore only some files.");
  return false;
}

/** Takes a snapshot of the newer work that the restore will overwrite. */
async function keepNewer(
  { env }: CommandContext,
  { manifest }: OpenSnapshot,
  newer: readonly RestoreStep[],
): Promise<UndoSnapshot> {
  const { root, git, files, named, id } = manifest;
  return takeUndoSnapshot({
    id: randomBytes(5).toString("hex"),
    folder: homeOf(env).undo,
    what: `restoring snapshot ${id}, which overwrote newer work (${summary(newer)})`,
    scope: {
      within: [root],
      patterns: [],
      paths: [...named, ...files.map((file) => file.path)].map((raw) => `${root}/${Buffer.from(raw, "latin1")}`),
      ...(git?.isWhole && {
        git: {
          ...{ folder: root, tree: true, untracked: true, ignored: false, only: [], folders: false, submodules: false },
          refs: Object.keys(git.refs ?? {}),
        },
      }),
    },
    maxBytes: MOST_BYTES,
    maxMs: PATIENCE_MS,
    env: plainEnv(env),
    now: Date.now(),
    isMadeAgain: () => false,
  });
}

async function open(
  folder: string,
  { id, store, root }: UndoSnapshot,
  env: Record<string, string>,
): Promise<OpenSnapshot> {
  if (store === "git") return openFromGit(gitIn({ folder: root, env }), id);
  const found = openFromFolder({ folder }, id);
  if (!found) throw new HookwrightError("HW_NO_SNAPSHOT", { what: `The files of snapshot ${id} no longer exist.` });
  return found;
}

function relative(given: string, cwd: string, root: string): string {
  const place = path.resolve(fs.realpathSync(cwd), given);
  const inside = path.relative(root, place);
  if (inside === ".." || inside.startsWith("../")) {
    throw new HookwrightError("HW_USAGE", { detail: `\`${printable(given)}\` is not in ${root}.`, command: "undo" });
  }
  return textToRaw(inside);
}

function shownSteps(steps: readonly RestoreStep[], mark: (text: string) => string): string {
  const lines = steps
    .slice(0, MOST_SHOWN)
    .map(({ what, isNewer }) => `  ${printable(what, LONGEST_TEXT)}${isNewer ? mark(" (overwrites newer work)") : ""}`);
  const left = steps.length - lines.length;
  return [...lines, ...(left > 0 ? [`  and ${left} more`] : [])].join("\n");
}

function summary(steps: readonly RestoreStep[]): string {
  const left = steps.length - 3;
  const named = steps.slice(0, 3).map(({ what }) => printable(what, LONGEST_TEXT));
  return named.join(", ") + (left > 0 ? ` and ${left} more` : "");
}

function texts(steps: readonly RestoreStep[]): string[] {
  return steps.map(({ what }) => what);
}

function plainEnv(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined));
}
