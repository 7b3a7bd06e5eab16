import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { compileConfig } from "../../../config/compile.ts";
import { projectRoot } from "../../../core/actor.ts";
import { findConfigFiles, readConfigSources } from "../../../engine/config/config-files.ts";
import { system } from "../../../system/system.ts";
import { engineOnPath } from "../../installation/engine-on-path.ts";
import { type DoctorContext, installationsOf } from "./context.ts";
import { type DoctorFinding, noteFinding, okFinding, problemFinding } from "./finding.ts";

const START_MS = 10_000;
const NAME = "engine";

/** Session policies tell an agent to run `engine`; without a working one the agent could not start a session. */
export async function engineProgramFindings(doctor: DoctorContext): Promise<DoctorFinding[]> {
  if (!(await hasSessions(doctor))) return [];
  const { env, packageRoot } = doctor;
  const found = engineOnPath(env);
  const own = programs(doctor);
  const missing = own.filter((file) => !fs.existsSync(file));
  const broken = own.filter((file) => !missing.includes(file)).flatMap((file) => failureOf(file, env));
  const again = "Run `hookwright init` again, which puts it back.";
  if (broken.length > 0)
    return [problemFinding(NAME, `agents are told to begin sessions with ${broken.join("; ")}`, again)];
  if (missing.length > 0 && !found?.isOurs) {
    const detail = `${missing.join(", ")} is missing, so no session can be begun and the gate holds nothing back`;
    return [problemFinding(NAME, detail, again)];
  }
  const first = found?.isOurs ? found.file : (own[0] ?? "");
  if (found?.isOurs) return [okFinding(NAME, `${first} opens sessions`)];
  const link = `For your own shell, put a link called \`engine\` to ${path.join(packageRoot, "bin", "engine.mjs")} on the PATH.`;
  const why = found ? `${found.file} is another program of that name` : "`engine` is not on the PATH";
  return [noteFinding(NAME, `${why}; agents are told to run ${first}`, link)];
}

/** The paths where installed hooks expect `engine`; without an installation, the path in this build. */
function programs(doctor: DoctorContext): string[] {
  const folders = installationsOf(doctor).map(({ store, record }) => path.join(store.versions, record.version));
  const there = [...new Set(folders)].filter((folder) => fs.existsSync(folder));
  return (there.length > 0 ? there : [doctor.dist]).map((folder) => path.join(folder, "engine"));
}

/** Hooks tell agents to run an existing `engine` even if it does not work, so it is tried here. */
function failureOf(file: string, env: NodeJS.ProcessEnv): string[] {
  const { status, error } = spawnSync(file, ["--help"], { env, timeout: START_MS, stdio: "ignore" });
  return status === 0 ? [] : [`${file}, which does not run (${error?.message ?? `exit ${status}`})`];
}

async function hasSessions(doctor: DoctorContext): Promise<boolean> {
  const { home, cwd } = doctor;
  if (installationsOf(doctor).some(({ record }) => record.profile.includes("session"))) return true;
  const found = findConfigFiles(home, cwd, projectRoot(cwd, system));
  const { profiles } = await compileConfig(readConfigSources(home, found).sources);
  return profiles.includes("session");
}
