import fs from "node:fs";
import path from "node:path";

/** Is a program of this name on the PATH? */
export function programOnPath(name: string, env: NodeJS.ProcessEnv): boolean {
  return (env.PATH ?? "")
    .split(path.delimiter)
    .some((folder) => folder !== "" && fs.existsSync(path.join(folder, name)));
}
