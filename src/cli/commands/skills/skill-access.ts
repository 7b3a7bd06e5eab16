import { projectRoot } from "../../../core/actor.ts";
import { HookwrightError } from "../../../core/errors.ts";
import { nearestName } from "../../../core/text/nearest-name.ts";
import { type Library, readLibrary } from "../../../domain/skills/library.ts";
import { folderToWrite, type SkillFolder, type SkillScope, skillFolders } from "../../../domain/skills/places.ts";
import type { Skill } from "../../../domain/skills/skill.ts";
import type { SkillFile } from "../../../domain/skills/skill-files.ts";
import type { NewSkill } from "../../../domain/skills/skill-text.ts";
import { SkillRecords, type SkillUse, skillRecords } from "../../../domain/skills/store.ts";
import { copySkill, fileSkills, type SkillWriter, writeSkill } from "../../../domain/skills/write-skill.ts";
import { Database } from "../../../state/database.ts";
import { bumpRevision } from "../../../state/sessions.ts";
import { openTable, projectScope } from "../../../state/stores.ts";
import { crashPoint } from "../../../system/crash-point.ts";
import { system } from "../../../system/system.ts";
import { homeFolder } from "../../../system/user-folders.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { openStateOrEmpty } from "../../state/open-state.ts";

const BUSY_MS = 10_000;

export type FoundSkill = Skill & { readonly at: SkillFile };

/** What every `skills` command works with. */
export class SkillAccess {
  readonly project: string;
  readonly folders: readonly SkillFolder[];
  readonly #context: CommandContext;
  readonly #userHome: string;
  readonly #scope: string;

  constructor(context: CommandContext) {
    this.#context = context;
    this.project = projectRoot(context.cwd, system);
    this.#userHome = context.env.HOME || homeFolder();
    this.folders = skillFolders(this.project, this.#userHome);
    this.#scope = projectScope({ agent: "", session: "", agentId: "", project: this.project });
  }

  library(folders: readonly SkillFolder[] = this.folders): Library<Skill> {
    return readLibrary(folders, fileSkills, "skill", (skill) => skill);
  }

  /** The skill of this name, or of this id; with a scope only one of it. */
  named(name: string, scope?: SkillScope): FoundSkill {
    const folders = this.folders.filter((folder) => scope === undefined || folder.scope === scope);
    const { skills } = this.library(folders);
    const found = skills.find((skill) => skill.id === name || skill.name === name);
    if (found) return found;
    const nearest = nearestName(
      name,
      skills.map(({ id }) => id),
    );
    throw new HookwrightError("HW_SKILL_UNKNOWN", { name, nearest });
  }

  useOf({ id, at: { folder } }: FoundSkill): SkillUse {
    const db = openStateOrEmpty(homeOf(this.#context.env).database);
    try {
      if (folder.scope === "project") return this.#records(db).useOf("project", id);
      return useEverywhere(db, id);
    } finally {
      db.close();
    }
  }

  read<T>(work: (records: SkillRecords) => T): T {
    const db = openStateOrEmpty(homeOf(this.#context.env).database);
    try {
      return work(this.#records(db));
    } finally {
      db.close();
    }
  }

  write(work: (records: SkillRecords) => void): void {
    this.#inDatabase((db) => {
      const done = db.transaction(() => {
        work(this.#records(db, () => bumpRevision(db, this.#scope)));
      });
      if (!done) throw new HookwrightError("HW_STATE_BUSY");
    });
  }

  /** Writes a new skill and returns its file. */
  add(skill: NewSkill, scope: SkillScope, at: number): string {
    return this.#write(at, (writer) => writeSkill(skill, this.folder(scope), this.folders, writer));
  }

  /** Writes the same skill into the person's folder and returns the new file. */
  copyToPerson(skill: FoundSkill, at: number): string {
    return this.#write(at, (writer) => copySkill(skill, this.folder("person"), writer));
  }

  folder(scope: SkillScope): SkillFolder {
    return folderToWrite(scope, this.project, this.#userHome);
  }

  #write<T>(at: number, work: (writer: SkillWriter) => T): T {
    const { root } = homeOf(this.#context.env);
    const session = this.#context.env.CLAUDE_CODE_SESSION_ID ?? "";
    return this.#inDatabase((db) => work({ db, at, session, reached: (point) => crashPoint(root, point) }));
  }

  #inDatabase<T>(work: (db: Database) => T): T {
    const db = new Database(homeOf(this.#context.env).database, BUSY_MS);
    try {
      return work(db);
    } finally {
      db.close();
    }
  }

  #records(db: Database, onWrite?: () => void): SkillRecords {
    return new SkillRecords(openTable(db, this.#scope, skillRecords.name, onWrite));
  }
}

/** A skill of a person is used in several projects. */
function useEverywhere(db: Database, id: string): SkillUse {
  const sql = "SELECT DISTINCT scope FROM entries WHERE store = ? AND scope LIKE 'project:%'";
  const scopes = db.all(sql, skillRecords.name).map((row) => String(row.scope));
  const all = scopes.map((scope) => new SkillRecords(openTable(db, scope, skillRecords.name)).useOf("person", id));
  return { uses: all.reduce((sum, { uses }) => sum + uses, 0), last: Math.max(0, ...all.map(({ last }) => last)) };
}
