import fs from "node:fs";
import path from "node:path";

/** The first `engine` on this PATH. It is ours if it is a link to our file or a script that names hookwright. */
export function engineOnPath(env: NodeJS.ProcessEnv): { readonly file: string; readonly isOurs: boolean } | undefined {
  const folders = (env.PATH ?? "").split(path.delimiter);
  const files = folders.map((folder) => path.join(folder || ".", "engine"));
  const file = files.find((one) => fs.statSync(one, { throwIfNoEntry: false })?.isFile());
  return file === undefined
    ? undefined
    : { file, isOurs: /hookwright|\bengine\.mjs\b/.test(fs.readFileSync(file, "utf8")) };
}

/** A note for people who install session policies: agents may be told another path of `engine` than the one on PATH. */
export function engineNote(env: NodeJS.ProcessEnv, folder: string): string {
  const found = engineOnPath(env);
  if (found?.isOurs) return `Sessions are begun with \`engine\` (${found.file}).`;
  const why = found ? `${found.file} is another program` : "It is not on the PATH";
  return `Sessions are begun with \`engine\`. ${why}, so agents are told to run ${path.join(folder, "engine")}`;
}
