import os from "node:os";

// The answers of `node:os`, without loading it: that takes a new process longer than most policies.

export function homeFolder(): string {
  return process.env.HOME ?? os.homedir();
}

export function temporaryFolder(): string {
  const { TMPDIR, TMP, TEMP } = process.env;
  return (TMPDIR || TMP || TEMP || "/tmp").replace(/(?<=.)\/$/s, "");
}
