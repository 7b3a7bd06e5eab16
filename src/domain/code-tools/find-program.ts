import path from "node:path";
import type { Ports } from "../../core/ports.ts";
import type { CodeTool } from "./tools.ts";

type Look = Pick<Ports, "info" | "realPath">;

/** The tool's program: the project's own copy nearest to the folder, else the one in PATH; undefined if it is missing. */
export function findProgram(tool: CodeTool, folders: readonly string[], searchPath: string, look: Look) {
  const own = folders.flatMap((folder) => tool.ownFolders.map((part) => path.join(folder, part)));
  // A relative entry would name a folder of whatever project this is.
  const others = searchPath.split(":").filter((entry) => path.isAbsolute(entry));
  return [...own, ...others].map((folder) => path.join(folder, tool.program)).find((file) => isProgram(file, look));
}

function isProgram(file: string, { info, realPath }: Look): boolean {
  const found = info(realPath(file));
  return found?.kind === "file" && (found.mode & 0o111) !== 0;
}
