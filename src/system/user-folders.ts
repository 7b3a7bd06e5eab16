import os from "node:os";

// What `node:os` answers, without loading it: that takes a fresh process longer than most policies.

export function homeFolder(): string {
  return process.env.HOME ?? os.homedir();
}

export function temporaryFolder(): string {
  const { TMPDIR, TMP, TEMP } = process.env;
  return (TMPDIR || TMP || TEMP || "/tmp").replace(/(?<=.)\/$/s, "");
}
