// Writes a version into every file that has one, and its date into the changelog.
import fs from "node:fs";
import path from "node:path";

/** What a person has to put right before a release. */
export class ReleaseError extends Error {}

/** Returns the names of the files that it changed. */
export function writeVersion(root, version, date) {
  if (!/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/.test(version))
    throw new ReleaseError(`"${version}" is not a version such as 1.2.3 or 1.2.3-rc.1`);
  const changed = [changelog(root, version, date)];
  const edit = (name, change) => {
    const file = path.join(root, name);
    const before = fs.readFileSync(file, "utf8");
    const after = change(before);
    if (after === before) return;
    fs.writeFileSync(file, after);
    changed.push(name);
  };
  // The first "version" of a file is its own; the second of a lock file is that of the package at its root.
  const own = (text) => text.replace(/("version": )"[^"]*"/, `$1"${version}"`);
  edit("package.json", own);
  edit("package-lock.json", (text) =>
    own(text).replace(/("": \{\s*"name": "[^"]*",\s*"version": )"[^"]*"/, `$1"${version}"`),
  );
  const { plugins } = JSON.parse(fs.readFileSync(path.join(root, ".claude-plugin/marketplace.json"), "utf8"));
  for (const { source } of plugins) edit(path.posix.join(source, ".claude-plugin/plugin.json"), own);
  return changed;
}

function changelog(root, version, date) {
  const name = "CHANGELOG.md";
  const file = path.join(root, name);
  const text = fs.readFileSync(file, "utf8");
  const heading = `## ${version} (unreleased)`;
  const section = text.split(/^(?=## )/m).find((one) => one.startsWith(`${heading}\n`));
  if (section === undefined) throw new ReleaseError(`${name} has no section "${heading}": write what is new there`);
  if (section.slice(heading.length).trim() === "") throw new ReleaseError(`"${heading}" in ${name} is empty`);
  fs.writeFileSync(file, text.replace(heading, `## ${version} (${date})`));
  return name;
}
