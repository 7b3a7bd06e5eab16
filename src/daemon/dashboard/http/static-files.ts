import fs from "node:fs";
import path from "node:path";

export interface StaticFile {
  readonly type: string;
  readonly body: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".json": "application/json; charset=utf-8",
};

const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Hookwright</title>
<h1>Hookwright</h1><p>The pages of the dashboard were not built. Run <code>npm ci</code> in the checkout.</p></html>
`;

/** The built pages by their path. They are read once, so no path of a request ever reaches the disk. */
export function readStaticFiles(folder: string): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>([
    ["/index.html", { type: TYPES[".html"] ?? "", body: Buffer.from(NOT_BUILT) }],
  ]);
  if (!fs.existsSync(folder)) return files;
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[path.extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const file = path.join(entry.parentPath, entry.name);
    const name = `/${path.relative(folder, file).split(path.sep).join("/")}`;
    files.set(name, { type, body: fs.readFileSync(file) });
  }
  return files;
}

/** The file for the path of a request. Every path without an extension is a page, and all pages are one file. */
export function staticFile(files: ReadonlyMap<string, StaticFile>, pathname: string): StaticFile | undefined {
  return files.get(pathname) ?? (path.extname(pathname) === "" ? files.get("/index.html") : undefined);
}
