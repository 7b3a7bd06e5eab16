import fs from "node:fs";

/** Changes whenever the file does; undefined when it is not there. */
export function fileStamp(file: string): string | undefined {
  const stat = fs.lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.mtimeNs}:${stat.size}:${stat.ino}`;
}
