// Compiles client/hook.c for every platform that has a package of its own, and writes these packages.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { CLIENTS } from "./platforms.mjs";

/** Static, so that it starts on every Linux; without symbols, so that nothing of this machine is in it. */
const FLAGS = ["-O2", "-std=gnu11", "-static", "-s", "-Wl,--build-id=none"];

export function compileClient({ compiler }, source, build, target) {
  // The compiler runs in the folder of the source, because it may write the path that it was given into the program.
  const args = [...FLAGS, `-DHW_BUILD="${build}"`, "-o", target, "hook.c"];
  const made = spawnSync(compiler.program, args, { cwd: source, encoding: "utf8" });
  if (made.error?.code === "ENOENT")
    throw new Error(`${compiler.program} is missing: install the Debian package ${compiler.package}`);
  if (made.status !== 0) throw new Error(`${compiler.program} failed: ${made.error?.message ?? made.stderr}`);
  fs.chmodSync(target, 0o755);
}

/**
 * Writes one folder for each package below `target`. Returns the hashes that the main package is published with: `init`
 * uses no other client.
 */
export function writeClientPackages(root, target, { version, build }, clients = CLIENTS) {
  const hashes = {};
  for (const client of clients) {
    const folder = path.join(target, `client-${client.name}`);
    fs.mkdirSync(folder, { recursive: true });
    const program = path.join(folder, "hook");
    compileClient(client, path.join(root, "client"), build, program);
    hashes[client.name] = { sha256: createHash("sha256").update(fs.readFileSync(program)).digest("hex") };
    fs.writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(manifest(client, version), null, 2)}\n`);
    fs.writeFileSync(path.join(folder, "README.md"), readme(client));
    fs.copyFileSync(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
  }
  return hashes;
}

function manifest({ packageName, os, cpu, title }, version) {
  return {
    name: packageName,
    version,
    description: `The compiled client of Hookwright for ${title}.`,
    license: "MIT",
    os: [os],
    cpu: [cpu],
    files: ["hook"],
  };
}

function readme({ packageName, title }) {
  return `# ${packageName}\n\nThe program that agents start for each event, compiled for ${title}. The package \`hookwright\` installs it.\n`;
}
