import os from "node:os";
import { type Home, resolveHome } from "../core/home.ts";
import { system } from "../engine/system.ts";

export function homeOf(env: NodeJS.ProcessEnv): Home {
  return resolveHome(env, env.HOME || os.homedir(), system.realPath);
}
