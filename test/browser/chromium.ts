/** The machine's own Chromium. */
import fs from "node:fs";
import path from "node:path";
import { type Browser, chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

const program = NAMES.flatMap((name) =>
  (process.env.PATH ?? "").split(path.delimiter).map((folder) => path.join(folder, name)),
).find((file) => fs.existsSync(file));

/** Why no test can run in a browser; empty when they can. */
export const noChromium =
  program === undefined ? `tests in a browser are skipped: none of ${NAMES.join(", ")} is installed` : "";
if (noChromium !== "") console.warn(noChromium);

export function launchChromium(): Promise<Browser> {
  // Root may not have Chromium's sandbox; the pages are ours.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath: program ?? "", args });
}
