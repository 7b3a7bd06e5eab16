import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { AnyEvent } from "../../core/event.ts";
import { effectsOfEvent } from "../../effects/effects-of-event.ts";
import { shellOf } from "../../effects/shell-of-event.ts";
import { shell } from "../../testing/events.ts";
import { isLocalLoss, snapshotFor } from "../loss/snapshot-scope.ts";
import { SnapshotImpossible } from "./collection.ts";
import { gitIn } from "./git.ts";
import type { UndoSnapshot } from "./manifest.ts";
import { planRestore } from "./restore.ts";
import type { RestoreStep } from "./restore-git.ts";
import { openFromFolder, openFromGit } from "./snapshot-store.ts";
import { takeUndoSnapshot } from "./take-snapshot.ts";

export const UNDO_ENV: Record<string, string> = {
  PATH: process.env.PATH ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@b.test",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@b.test",
};

let count = 0;

/** A temporary project in which commands really run, with a folder for snapshots beside it. */
export class UndoWorkspace {
  readonly base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hw-undo-")));
  readonly root: string;
  readonly undo = path.join(this.base, "home", "undo");

  /** @param what a new repository, a new folder, or an existing work tree */
  constructor(what: "repository" | "folder" | { readonly tree: string } = "repository") {
    this.root = typeof what === "object" ? what.tree : path.join(this.base, "project");
    if (typeof what === "object") return;
    fs.mkdirSync(this.root);
    if (what === "folder") return;
    this.git("init", "--quiet", "--initial-branch=main");
    // A background `git gc` would still be running when the folder is removed.
    this.git("config", "gc.auto", "0");
  }

  dispose(): void {
    fs.rmSync(this.base, { recursive: true, force: true });
  }

  git(...args: string[]): string {
    return execFileSync("git", args, {
      cwd: this.root,
      env: UNDO_ENV,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  bash(command: string): void {
    spawnSync("bash", ["-c", command], { cwd: this.root, env: UNDO_ENV, stdio: "ignore" });
  }

  /** The path of a file; `\\351` in its name stands for a byte that is not valid UTF-8. */
  place(name: string): Buffer {
    const raw = Buffer.from(name).toString("latin1").replaceAll("\\351", "\u00e9");
    return Buffer.from(`${Buffer.from(this.root).toString("latin1")}/${raw}`, "latin1");
  }

  write(name: string, text: string, mode?: number): void {
    const file = this.place(name);
    fs.mkdirSync(path.dirname(path.join(this.root, name)), { recursive: true });
    fs.writeFileSync(file, text);
    if (mode !== undefined) fs.chmodSync(file, mode);
  }

  read(name: string): string {
    return fs.readFileSync(path.join(this.root, name), "utf8");
  }

  /** Takes the snapshot that the guard would take before this command. */
  async keep(command: string, limits: { maxBytes?: number; maxMs?: number } = {}): Promise<UndoSnapshot> {
    const event = { ...shell(command), cwd: this.root } as AnyEvent & { name: "tool.before" };
    const context = {
      cwd: this.root,
      project: this.root,
      userHome: UNDO_ENV.HOME ?? "",
      tempDir: "/nowhere",
      folders: [],
    };
    const effects = effectsOfEvent(event, context.userHome).filter((one) => isLocalLoss(one, context));
    if (effects.length === 0) throw new SnapshotImpossible(`no loss inside the project was read out of: ${command}`);
    const answered = effects.map((effect) => ({ effect, answer: "snapshot", isRoot: false }) as const);
    const info = (place: string) => {
      const found = fs.lstatSync(place, { throwIfNoEntry: false });
      return found && ({ kind: found.isDirectory() ? "directory" : "file", uid: 0, mode: 0 } as const);
    };
    const limit = { folders: [], snapshotMegabytes: 200, snapshotMilliseconds: 60_000 };
    const line = {
      effects: effectsOfEvent(event, context.userHome),
      commands: shellOf(event, context.userHome).commands,
    };
    const { unlessKept } = snapshotFor(answered, line, context, info, limit);
    if (!unlessKept) throw new SnapshotImpossible(`nothing can keep what is lost by: ${command}`);
    return takeUndoSnapshot({
      ...unlessKept,
      ...limits,
      id: (++count).toString(16).padStart(10, "0"),
      folder: this.undo,
      what: command,
      env: UNDO_ENV,
      now: Date.now(),
      isMadeAgain: () => false,
    });
  }

  async plan({ id, store }: UndoSnapshot, only: string[] = []): Promise<RestoreStep[]> {
    const folder = { folder: this.undo };
    const snapshot =
      store === "git" ? await openFromGit(gitIn({ folder: this.root, env: UNDO_ENV }), id) : openFromFolder(folder, id);
    if (!snapshot) throw new Error("the snapshot is gone");
    return planRestore({ snapshot, env: UNDO_ENV, only, scratch: this.undo });
  }

  async restore(snapshot: UndoSnapshot): Promise<void> {
    for (const step of await this.plan(snapshot)) await step.run();
  }

  /** Content and mode of every file and folder, and the state of git besides its commits. */
  state(): Record<string, unknown> {
    const files: Record<string, string> = {};
    const walk = (folder: string): void => {
      for (const name of fs.readdirSync(Buffer.from(folder, "latin1"), "latin1")) {
        if (folder === `${root}/` && name === ".git") continue;
        const place = `${folder}${name}`;
        const raw = Buffer.from(place, "latin1");
        const found = fs.lstatSync(raw);
        const mode = (found.mode & 0o7777).toString(8);
        if (found.isDirectory()) {
          files[place] = `${mode} folder`;
          walk(`${place}/`);
        } else if (found.isSymbolicLink()) files[place] = `link to ${fs.readlinkSync(raw)}`;
        else files[place] = `${mode} ${fs.readFileSync(raw, "base64")}`;
      }
    };
    const root = Buffer.from(this.root).toString("latin1");
    walk(`${root}/`);
    if (!fs.existsSync(path.join(this.root, ".git"))) return { files };
    const inGit = (name: string): string => this.git("rev-parse", "--git-path", name).trim();
    const has = (name: string): boolean => fs.existsSync(path.resolve(this.root, inGit(name)));
    return {
      files,
      index: this.git("ls-files", "-s", "-v"),
      status: this.git("status", "--porcelain=v2", "--untracked-files=all", "--ignored"),
      refs: this.git("for-each-ref", "--format=%(refname) %(objectname) %(objecttype)")
        .split("\n")
        .filter((line) => !line.startsWith("refs/hookwright")),
      settings: this.git("config", "--local", "--list")
        .split("\n")
        .filter((line) => line.startsWith("branch."))
        .sort(),
      head: fs.readFileSync(path.resolve(this.root, inGit("HEAD")), "utf8"),
      stashes: this.git("stash", "list", "--format=%H %gs"),
      merging: has("MERGE_HEAD"),
    };
  }
}
