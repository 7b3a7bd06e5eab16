import os from "node:os";
import { type Home, resolveHome } from "../../system/home.ts";
import { system } from "../../system/system.ts";

export function homeOf(env: NodeJS.ProcessEnv): Home {
  return resolveHome(env, env.HOME || os.homedir(), system.realPath);
}
