import { createRequire } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";
import { loadLibsql } from "./libsql.ts";

const load = createRequire(import.meta.url);
const beside = (name: string): string => load.resolve(name, { paths: [path.dirname(load.resolve("libsql"))] });

test("loads the very binary that libsql would choose, without its search", () => {
  const Libsql = loadLibsql<new (file: string) => { prepare(sql: string): { get(): unknown }; close(): void }>(load);
  const loaded = Object.keys(load.cache).filter((file) => file.includes("/@libsql/"));
  const isSearched = ["detect-libc", "@neon-rs/load"].map((name) => beside(name) in load.cache);
  expect(isSearched).toEqual(process.platform === "linux" ? [false, false] : [true, true]);
  const db = new Libsql(":memory:");
  expect(db.prepare("SELECT 6 * 7 AS n").get()).toMatchObject({ n: 42 });
  db.close();
  const { currentTarget } = load(beside("@neon-rs/load")) as { currentTarget(): string };
  expect(loaded.length).toBeGreaterThan(0);
  for (const file of loaded) expect(file).toContain(`/@libsql/${currentTarget()}/`);
});
