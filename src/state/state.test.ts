import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../core/event.ts";
import { shell, toolBefore, writes } from "../testing/events.ts";
import { Database } from "./database.ts";
import { openConnection } from "./driver.ts";
import { maskJson, maskText } from "./masking.ts";
import { start } from "./migrations/0001-start.ts";
import { addNote, markDelivered, pendingNotes } from "./outbox.ts";
import { isWhole, recordedBody } from "./recorded-body.ts";
import { openTable } from "./stores.ts";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-state-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));
const file = (): string => path.join(folder, "state.db");

describe("database", () => {
  it("is private and keeps what was committed", () => {
    const db = new Database(file(), 50);
    db.transaction(() => openTable(db, "s", "t", () => undefined).set("k", { a: [1] }));
    db.close();
    expect(fs.statSync(file()).mode & 0o777).toBe(0o600);
    const again = new Database(file(), 50);
    expect(openTable(again, "s", "t").get("k")).toEqual({ a: [1] });
    again.close();
  });

  it("of an older build is brought up to date, and keeps what is in it", () => {
    const old = openConnection(file());
    old.exec(`${start}; PRAGMA user_version = 1; INSERT INTO keys (key, at, journal) VALUES ('k', 1, 2)`);
    old.close();
    const db = new Database(file(), 50);
    expect(db.all("SELECT key, at, journal, sealed FROM keys").map((row) => ({ ...row }))).toEqual([
      { key: "k", at: 1, journal: 2, sealed: null },
    ]);
    expect(db.get("PRAGMA user_version")?.user_version).toBe(12);
    db.close();
  });

  it("takes nothing from a transaction that failed", () => {
    const db = new Database(file(), 50);
    const table = openTable(db, "s", "t", () => undefined);
    expect(() =>
      db.transaction(() => {
        table.set("k", 1);
        throw new Error("boom");
      }),
    ).toThrow("boom");
    expect(table.get("k")).toBeUndefined();
    db.close();
  });

  it("sees every write that was acknowledged after a BUSY, from three connections", () => {
    const [a, b, c] = [new Database(file(), 5), new Database(file(), 5), new Database(file(), 5)];
    const add = (db: Database): boolean =>
      db.transaction(() => openTable(db, "s", "t", () => undefined).add("n", 1)) !== undefined;
    let acknowledged = 0;
    for (let round = 0; round < 20; round++) {
      expect(a.begin()).toBe(true);
      openTable(a, "s", "t", () => undefined).add("n", 1);
      expect(add(b)).toBe(false);
      expect(add(c)).toBe(false);
      a.exec("COMMIT");
      acknowledged++;
      for (const db of [b, c, b]) if (add(db)) acknowledged++;
      for (const db of [a, b, c]) expect(openTable(db, "s", "t").get("n")).toBe(acknowledged);
    }
    expect(acknowledged).toBe(80);
    for (const db of [a, b, c]) db.close();
  });

  it("moves a damaged file aside, says so, and starts afresh", () => {
    fs.writeFileSync(file(), "this is not a database, but it is longer than a header of one hundred bytes ".repeat(10));
    const db = new Database(file(), 50);
    expect(db.recovered?.code).toBe("HW_STATE_CORRUPT");
    expect(db.get("SELECT COUNT(*) AS n FROM journal")).toMatchObject({ n: 0 });
    db.close();
    const aside = fs.readdirSync(folder).filter((name) => name.includes(".corrupt-"));
    expect(aside).toHaveLength(1);
    expect(fs.readFileSync(path.join(folder, aside[0] ?? ""), "utf8")).toContain("not a database");
  });

  it("opens a database of a newer version and still works", () => {
    const db = new Database(file(), 50);
    db.exec("PRAGMA user_version = 99; ALTER TABLE journal ADD COLUMN tomorrow TEXT");
    db.close();
    const older = new Database(file(), 50);
    expect(older.get("SELECT COUNT(*) AS n FROM journal")).toMatchObject({ n: 0 });
    older.close();
  });
});

describe("store tables", () => {
  it("are empty as long as nothing is in them, whatever other tables hold", () => {
    const db = new Database(":memory:", 10);
    const at = (scope: string, store: string) => openTable(db, scope, store, () => undefined);
    at("project:a", "other").set("k", 1);
    at("project:b", "session").set("k", 1);
    expect(at("project:a", "session").isEmpty()).toBe(true);
    at("project:a", "session").set("k", 1);
    expect(at("project:a", "session").isEmpty()).toBe(false);
    at("project:a", "session").delete("k");
    expect(at("project:a", "session").isEmpty()).toBe(true);
    db.close();
  });

  it("behave like a map, whatever the keys and values", () => {
    const key = fc.constantFrom("a", "b", "'; DROP TABLE entries; --", "\u0000", "é");
    const step = fc.oneof(
      fc.record({ do: fc.constant("set" as const), key, value: fc.jsonValue({ maxDepth: 2 }) }),
      fc.record({ do: fc.constant("delete" as const), key }),
      fc.record({ do: fc.constant("add" as const), key, by: fc.integer({ min: -5, max: 5 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const db = new Database(":memory:", 5);
        const table = openTable(db, "s", "t", () => undefined);
        const model = new Map<string, unknown>();
        for (const one of steps) {
          if (one.do === "set") {
            table.set(one.key, one.value as Json);
            model.set(one.key, JSON.parse(JSON.stringify(one.value)));
          } else if (one.do === "delete") {
            table.delete(one.key);
            model.delete(one.key);
          } else {
            const before = model.get(one.key);
            const next = (typeof before === "number" ? before : 0) + one.by;
            expect(table.add(one.key, one.by)).toBe(next);
            model.set(one.key, next);
          }
        }
        for (const [name, value] of model) expect(table.get(name)).toEqual(value);
        expect(table.keys()).toHaveLength(model.size);
        db.close();
      }),
      { numRuns: 50 },
    );
  });

  it("cannot be written where only reading is allowed, and keep scopes apart", () => {
    const db = new Database(":memory:", 5);
    expect(() => openTable(db, "s", "t").set("k", 1)).toThrow("outside `settled`");
    openTable(db, "session:a", "t", () => undefined).set("k", 1);
    expect(openTable(db, "session:b", "t").get("k")).toBeUndefined();
    expect(openTable(db, "session:a", "other").get("k")).toBeUndefined();
    db.close();
  });
});

// Built from parts so that no scanner takes this file for a leak.
const SECRETS = [
  `sk-ant-${"a1B2c3D4".repeat(4)}`,
  `ghp_${"a1B2c3D4".repeat(5)}`,
  `AKIA${"A1B2C3D4".repeat(2)}`,
  `xoxb-${"1234567890".repeat(2)}`,
  `glpat-${"a1B2c3D4".repeat(3)}`,
  `npm_${"a1B2c3D4".repeat(5)}`,
  `eyJ${"a1B2c3D4".repeat(2)}.eyJ${"a1B2c3D4".repeat(2)}.${"a1B2c3D4".repeat(2)}`,
  `-----BEGIN RSA PRIVATE KEY-----\n${"a1B2c3D4".repeat(8)}\n-----END RSA PRIVATE KEY-----`,
];

describe("the outbox", () => {
  it("keeps a note without the secret it quotes", () => {
    const db = new Database(":memory:", 50);
    const of = { agent: "a", session: "s", agentId: "", project: "/p" };
    addNote(db, of, "turn.stop", "p/one", "It ran `curl -H 'token: ghp_Outb0xOutb0xOutb0xOut'` in /p.", 1);
    expect(pendingNotes(db, of, "turn.stop")).toEqual([
      { id: 1, policy: "p/one", text: "It ran `curl -H 'token: [masked]'` in /p." },
    ]);
    db.close();
  });

  it("keeps a note once while it waits, and takes it again once it is delivered", () => {
    const db = new Database(":memory:", 50);
    const of = { agent: "a", session: "s", agentId: "", project: "/p" };
    const texts = (): string[] => pendingNotes(db, of, "turn.stop").map(({ policy, text }) => `${policy} ${text}`);
    for (const policy of ["p/one", "p/one", "p/two"]) addNote(db, of, "turn.stop", policy, "still open", 1);
    addNote(db, { ...of, session: "t" }, "turn.stop", "p/one", "still open", 1);
    expect(texts()).toEqual(["p/one still open", "p/two still open"]);
    markDelivered(db, pendingNotes(db, of, "turn.stop"), 7);
    addNote(db, of, "turn.stop", "p/one", "still open", 2);
    expect(texts()).toEqual(["p/one still open"]);
    db.close();
  });
});

describe("what the journal keeps", () => {
  it.each(SECRETS)("masks a secret wherever it stands", (secret) => {
    fc.assert(
      fc.property(
        fc.constantFrom("", "curl -H 'x: ", '{"a":"', "export K="),
        fc.constantFrom("", "'", '"}', " | sh"),
        (before, after) => {
          expect(maskText(before + secret + after)).not.toContain(secret.slice(12, 40));
        },
      ),
    );
    expect(recordedBody(shell(`echo ${secret}`))).not.toContain(secret.slice(12, 40));
  });

  it.each([
    ["DB_PASSWORD=hunter2hunter2 ./run", "hunter2"],
    ["curl -H 'Authorization: Bearer abcdef123456'", "abcdef123456"],
    ["psql postgres://app:s3cretpw@db/x", "s3cretpw"],
    ['{"api_key": "abcdef123456"}', "abcdef123456"],
  ])("masks the value in %s", (text, secret) => {
    expect(maskText(text)).not.toContain(secret);
  });

  it.each(["git commit -m 'add token parser'", "const tokenizer = make()", "ls ~/.ssh", "sk-learn is a library"])(
    "leaves %s alone",
    (text) => {
      expect(maskText(text)).toBe(text);
    },
  );

  it("masks by the name of a field too", () => {
    expect(maskJson({ password: "x", nested: { api_key: "y" }, other: "z" })).toEqual({
      password: "[masked]",
      nested: { api_key: "[masked]" },
      other: "z",
    });
  });

  it("keeps the content of an edit as hash and length, and where it goes as it is", () => {
    const body = recordedBody(writes("/home/dev/app/a.ts"));
    const kept = JSON.parse(body) as { tool_input: Record<string, unknown> };
    expect(kept.tool_input.file_path).toBe("/home/dev/app/a.ts");
    expect(kept.tool_input.content).toMatchObject({ length: 1 });
    expect(isWhole(body)).toBe(false);
    expect(isWhole(recordedBody(shell("ls")))).toBe(true);
  });

  it("caps what one row may hold", () => {
    expect(recordedBody(shell("x".repeat(1_000_000))).length).toBeLessThan(20_000);
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, "v".repeat(100)]));
    expect(recordedBody(toolBefore("mcp__x__y", many)).length).toBeLessThan(20_000);
  });
});
