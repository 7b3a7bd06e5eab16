import path from "node:path";

/**
 * The `.env` files from which an agent may fill its environment when it is started in a folder: the first one on the way up,
 * whose place depends on what else is there. Those in the person's own home are the person's.
 */
export function envFilesAbove(folder: string, agentFolder: string, userHome: string): string[] {
  const files: string[] = [];
  for (let at = path.resolve(folder); at !== userHome; at = path.dirname(at)) {
    files.push(path.join(at, agentFolder, ".env"), path.join(at, ".env"));
    if (path.dirname(at) === at) break;
  }
  return files;
}

/** As `dotenv` reads a variable. Each line stands at its beginning, so that the time is linear in any text. */
const ASSIGNMENT = /^(?:export\s+)?([\w.-]+)(?:\s*=|:\s)/gm;

export function namesInEnvFile(text: string): string[] {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  const written = lines.filter((line) => line !== "").join("\n");
  return [...written.matchAll(ASSIGNMENT)].map(([, name]) => name ?? "");
}
