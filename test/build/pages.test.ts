import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { DIST } from "../support/world.ts";

const PAGES = path.join(DIST, "ui");
/** All scripts of the dashboard's pages together, compressed: also a slow phone shows them at once. */
const MOST_BYTES = 25_000;

it("the dashboard's pages need at most 25 kB of script", () => {
  const scripts = fs.readdirSync(PAGES).filter((name) => name.endsWith(".js"));
  expect(scripts).toEqual(["app.js"]);
  const bytes = scripts.map((name) => gzipSync(fs.readFileSync(path.join(PAGES, name)), { level: 9 }).length);
  expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(MOST_BYTES);
});

it("the page has no script or style inside it, and asks for nothing but its own files", () => {
  const page = fs.readFileSync(path.join(PAGES, "index.html"), "utf8");
  expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
  const files = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, name = ""]) => name);
  expect(files.sort()).toEqual(["/app.css", "/app.js", "/icon.svg"]);
  for (const name of files) expect(fs.existsSync(path.join(PAGES, name)), name).toBe(true);
  for (const name of fs.readdirSync(PAGES).filter((file) => /\.(js|css)$/.test(file))) {
    const addresses = fs.readFileSync(path.join(PAGES, name), "utf8").match(/\b(?:https?|wss?):\/\/[^"'`)\s]+/g) ?? [];
    expect([name, addresses.filter((address) => !address.startsWith("http://www.w3.org/"))]).toEqual([name, []]);
  }
});
