import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ActivePolicy } from "../../core/pipeline.ts";
import type { Policy } from "../../core/policy.ts";
import { defineStore, type Outlook } from "../../core/store.ts";
import { Database } from "../../state/database.ts";
import { bumpRevision } from "../../state/sessions.ts";
import { folderLooks } from "../../system/folders.ts";
import { system } from "../../system/system.ts";
import { shell } from "../../testing/events.ts";
import { QuietStores } from "./quiet-stores.ts";
import { syncStores } from "./sync-stores.ts";

let root: string;
let db: Database;
let moment: number;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-quiet-"));
  db = new Database(":memory:", 1);
  moment = 0;
});
afterEach(() => {
  db.close();
  fs.rmSync(root, { recursive: true, force: true });
});

/** A store that looks as told, and how often it was asked; two events pass until a missing file is known as such. */
async function watched(look: (at: Outlook) => unknown) {
  let asked = 0;
  const store = defineStore({
    name: "watched",
    scope: "project",
    open: () => undefined,
    sync: (_table, at) => {
      asked += 1;
      look(at);
      return undefined;
    },
  });
  const policies = [{ policy: { id: "p/one", uses: store } as unknown as Policy, mode: "enforce", options: {} }];
  // A folder that was made just now counts as settled.
  const folders = folderLooks(
    () => Date.now() + 10_000,
    () => moment,
  );
  const quiet = new QuietStores(folders);
  const event = shell("ls");
  const asker = { agent: "a", session: "s", project: root, cwd: event.cwd, userHome: root };
  const env: Record<string, string> = { WHO: "me" };
  const askedAt = async (): Promise<number> => {
    moment += 10;
    const before = asked;
    const { agent, session, project, cwd, userHome } = asker;
    const of = { agent, session, agentId: "", project };
    const world = { event: { ...event, session, cwd }, actor: { project }, env, ports: system, places: { userHome } };
    await syncStores({ db, of, policies: policies as ActivePolicy[], world: world as never, quiet });
    return asked - before;
  };
  for (let i = 0; i < 3; i++) await askedAt();
  return { askedAt, env, asker };
}

const file = (): string => path.join(root, "rules.json");

it("is asked no more while none of its files can have appeared", async () => {
  const { askedAt } = await watched((at) => [at.isThere(file()), at.fate(file()), at.list(path.join(root, "all"))]);
  expect([await askedAt(), await askedAt()]).toEqual([0, 0]);
});

it.each<[string, (env: Record<string, string>) => void]>([
  ["a file has appeared", () => fs.writeFileSync(file(), "{}")],
  ["something was written into the database", () => bumpRevision(db, "project:x")],
  ["the environment is another", (env) => Object.assign(env, { WHO: "you" })],
])("is asked again when %s", async (_, happen) => {
  const { askedAt, env } = await watched((at) => [at.isThere(file()), at.env("WHO")]);
  expect(await askedAt()).toBe(0);
  happen(env);
  expect(await askedAt()).toBe(1);
});

it.each(["agent", "session", "project", "cwd", "userHome"] as const)("is asked again for another %s", async (name) => {
  const { askedAt, asker } = await watched((at) => [at.isThere(file())]);
  expect(await askedAt()).toBe(0);
  asker[name] = path.join(root, "other");
  expect(await askedAt()).toBe(1);
});

it.each<[string, (at: Outlook) => unknown]>([
  ["a file that is there", (at) => at.isThere(root)],
  ["a process", (at) => at.isAlive(process.pid)],
])("is asked every time when it went by %s", async (_, look) => {
  const { askedAt } = await watched(look);
  expect([await askedAt(), await askedAt()]).toEqual([1, 1]);
});
