/** Payloads recorded from the real client, by version, with their paths moved into a world. */
import fs from "node:fs";
import path from "node:path";
import type { World } from "./world.ts";

const FOLDER = path.resolve(import.meta.dirname, "../golden/claude-code/2.1.325");

export interface Golden {
  readonly name: string;
  readonly event: string;
  /** As it goes in on standard input. */
  readonly text: string;
}

/** In the order of a session: the report of a call comes after the question about it. */
export function goldenPayloads(world: World): Golden[] {
  const files = fs.readdirSync(FOLDER).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return files.flatMap((file) => {
    const payloads = JSON.parse(fs.readFileSync(path.join(FOLDER, file), "utf8")) as Record<string, object>;
    const event = path.basename(file, ".json");
    return Object.entries(payloads).map(([name, payload]) => ({
      name: `${event}: ${name}`,
      event,
      text: JSON.stringify(payload).replaceAll("/home/dev/app", world.project).replaceAll("/home/dev", world.userHome),
    }));
  });
}

function rank(file: string): number {
  return ["SessionStart.json", "PreToolUse.json"].indexOf(file) + 1 || 3;
}
