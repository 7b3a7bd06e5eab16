import fs from "node:fs";
import path from "node:path";
import { compileConfig } from "../../config/compile.ts";
import { projectRoot } from "../../core/actor.ts";
import { findConfigFiles, readConfigSources } from "../../engine/config-files.ts";
import { system } from "../../engine/system.ts";
import { type Finding, fine, problem } from "./finding.ts";
import type { DoctorWorld } from "./world.ts";

/** Session policies tell an agent to run `engine`; without it a closed gate could not be opened. */
export async function engineProgram({ home, cwd, env, packageRoot }: DoctorWorld): Promise<Finding[]> {
  const found = findConfigFiles(home, cwd, projectRoot(cwd, system));
  const { profiles } = await compileConfig(readConfigSources(home, found).sources);
  if (!profiles.includes("session")) return [];
  const name = "engine";
  const own = path.join(packageRoot, "bin", "engine.mjs");
  const fix = `Install Hookwright globally with npm, or make a link called \`engine\` to ${own} in a folder of the PATH.`;
  const file = onPath("engine", env.PATH ?? "");
  if (file === undefined) return [problem(name, "the program `engine`, which opens sessions, is not on the PATH", fix)];
  const isOurs = fs.readFileSync(file, "utf8").includes("hookwright");
  if (!isOurs)
    return [problem(name, `${file} comes first in the PATH, and it is another program of the same name`, fix)];
  return [fine(name, `${file} opens sessions`)];
}

function onPath(program: string, folders: string): string | undefined {
  const files = folders.split(path.delimiter).map((folder) => path.join(folder || ".", program));
  return files.find((file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile());
}
