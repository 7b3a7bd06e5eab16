// Builds the pages of the dashboard: dist/ui/{index.html, app.js, app.css, icon.svg}.
import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const COPIED = ["index.html", "icon.svg"];

export async function buildPages(root, dist) {
  const result = await build({
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: "esm",
    target: ["chrome111", "firefox115", "safari16.4"],
    logLevel: "error",
    legalComments: "none",
    metafile: true,
    entryPoints: [
      { in: "ui/main.tsx", out: "app" },
      { in: "ui/styles/app.css", out: "app" },
    ],
    outdir: path.join(dist, "ui"),
    charset: "utf8",
    // Calls of `h` are shorter than those of the automatic runtime: 400 bytes of 25,000, compressed.
    tsconfigRaw: { compilerOptions: { jsx: "react", jsxFactory: "h", jsxFragmentFactory: "Fragment" } },
    inject: [path.join(root, "ui/frame/h.ts")],
  });
  for (const name of COPIED) fs.copyFileSync(path.join(root, "ui", name), path.join(dist, "ui", name));
  return result;
}
