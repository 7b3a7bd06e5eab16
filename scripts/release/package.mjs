// Makes what is published out of a built checkout: the packages for npm, and the plugins.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { writeClientPackages } from "./clients.mjs";
import { writeMarketplace } from "./marketplace.mjs";
import { CLIENTS } from "./platforms.mjs";

/** What the published declarations import. All other packages are contained in the bundles of dist/. */
const TYPES = ["zod"];

/** Writes everything into `out` and returns the names of the files. */
export function packageRelease(root, out, clients = CLIENTS) {
  const build = JSON.parse(fs.readFileSync(path.join(root, "dist/build.json"), "utf8"));
  const drafts = path.join(out, "packages");
  fs.rmSync(out, { recursive: true, force: true });
  fs.mkdirSync(drafts, { recursive: true });
  const hashes = writeClientPackages(root, drafts, build, clients);
  writeMainPackage(root, path.join(drafts, "hookwright"), hashes);
  for (const name of fs.readdirSync(drafts)) npmPack(path.join(drafts, name), ["--pack-destination", out]);
  writeMarketplace(root, path.join(out, "marketplace"));
  const files = fs.readdirSync(out).filter((name) => name.endsWith(".tgz"));
  const sums = files.map((name) => `${sha256(path.join(out, name))}  ${name}\n`);
  fs.writeFileSync(path.join(out, "SHA256SUMS"), sums.join(""));
  return files;
}

function writeMainPackage(root, folder, hashes) {
  for (const { path: name } of packedFiles(root)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.copyFileSync(path.join(root, name), path.join(folder, name));
  }
  fs.writeFileSync(path.join(folder, "dist/clients.json"), `${JSON.stringify(hashes, null, 2)}\n`);
  const manifest = publishedManifest(JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")), hashes);
  fs.writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * The bundles contain their dependencies, so the package installs without any. The clients are listed here and not in the
 * repository, where `npm ci` would refuse a lock file without them (docs/adr/0023-packages.md).
 */
export function publishedManifest(manifest, hashes) {
  const { scripts: _, devDependencies: __, overrides: ___, dependencies, optionalDependencies, ...kept } = manifest;
  const types = Object.fromEntries(TYPES.map((name) => [name, dependencies[name]]));
  const clients = CLIENTS.filter(({ name }) => Object.hasOwn(hashes, name)).map(({ packageName }) => [
    packageName,
    manifest.version,
  ]);
  return { ...kept, optionalDependencies: { ...optionalDependencies, ...types, ...Object.fromEntries(clients) } };
}

/** The files of the package in `folder`, with their sizes, as npm would pack them. */
export function packedFiles(folder) {
  return JSON.parse(npmPack(folder, ["--dry-run", "--json"]))[0].files;
}

function npmPack(folder, flags) {
  return execFileSync("npm", ["pack", "--ignore-scripts", "--loglevel=error", ...flags], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
}

function sha256(file) {
  return createHash("sha256").update(fs.readFileSync(file)).digest("hex");
}
