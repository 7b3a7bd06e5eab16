// Makes a release: version, changelog, build, packages, commit and tag. It never pushes and never publishes.
//
//   node scripts/release.mjs VERSION [--dry-run] [--out DIR]
//
// All of it happens in a clone of the last commit. Only at the end the commit and its tag are taken over into this
// repository; with --dry-run they are not, and everything else is the same.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { packageRelease } from "./release/package.mjs";
import { CLIENTS } from "./release/platforms.mjs";
import { ReleaseError, writeVersion } from "./release/version.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const git = (folder, ...args) => execFileSync("git", ["-C", folder, ...args], { encoding: "utf8" }).trim();

try {
  release();
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  console.error(`release: ${error.message}`);
  process.exitCode = 1;
}

function release() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { "dry-run": { type: "boolean" }, out: { type: "string", default: path.join(root, "out") } },
  });
  const [version, ...more] = positionals;
  if (version === undefined || more.length > 0) throw new ReleaseError("name one version, such as 1.2.3");
  const tag = `v${version}`;
  if (git(root, "tag", "--list", tag) !== "") throw new ReleaseError(`the tag ${tag} exists already`);
  const left = git(root, "status", "--porcelain");
  if (left !== "" && !values["dry-run"]) throw new ReleaseError(`commit or remove these changes first:\n${left}`);
  if (left !== "") console.log("Not in this try, because they are not committed:\n".concat(left));
  const clone = fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-release-"));
  try {
    execFileSync("git", ["clone", "--quiet", root, clone]);
    fs.symlinkSync(path.join(root, "node_modules"), path.join(clone, "node_modules"));
    const changed = writeVersion(clone, version, new Date().toISOString().slice(0, 10));
    console.log(`Version ${version} in ${changed.join(", ")}`);
    for (const script of [["build.mjs"], ["generate.mjs", "--check"]])
      execFileSync(process.execPath, [path.join(clone, "scripts", script[0]), ...script.slice(1)], {
        stdio: "inherit",
      });
    const out = path.resolve(values.out);
    packageRelease(clone, out);
    console.log(`Packages in ${out}:\n${fs.readFileSync(path.join(out, "SHA256SUMS"), "utf8").trimEnd()}`);
    git(clone, "commit", "--quiet", "--message", `release: ${version}`, "--", ...changed);
    git(clone, "tag", "--annotate", tag, "--message", `Hookwright ${version}`);
    console.log(git(clone, "show", "--stat", "--format=%h %s", tag));
    if (values["dry-run"]) return console.log("This was a dry run: nothing was changed in the repository.");
    git(root, "pull", "--quiet", "--ff-only", clone, "HEAD");
    git(root, "fetch", "--quiet", clone, "tag", tag);
    console.log(nextSteps(out, tag));
  } finally {
    fs.rmSync(clone, { recursive: true, force: true });
  }
}

/** The clients first: whoever installs the main package in between would get none. */
function nextSteps(out, tag) {
  const archives = fs.readdirSync(out).filter((name) => name.endsWith(".tgz"));
  const isClient = (name) => name.startsWith("hookwright-client-");
  const inOrder = [...archives.filter(isClient), ...archives.filter((name) => !isClient(name))];
  return [
    `Next (${CLIENTS.length} clients, then the package; --provenance works in CI only):`,
    ...inOrder.map((name) => `  npm publish --access public --provenance ${path.join(out, name)}`),
    `  git push origin HEAD ${tag}`,
    `  push ${path.join(out, "marketplace")} as the branch that the marketplace is added from`,
  ].join("\n");
}
