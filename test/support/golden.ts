/** Golden files of the real client, by version: payloads with what becomes of them, and rulings with their answers. */
import fs from "node:fs";
import path from "node:path";
import type { Reply } from "../../src/core/frame.ts";
import type { World } from "./world.ts";

const FOLDER = path.resolve(import.meta.dirname, "../golden/claude-code");

/** The newest, and the one npm picks on Node 20. */
export const CLIENT_VERSIONS = ["2.1.325", "2.1.197"] as const;
type ClientVersion = (typeof CLIENT_VERSIONS)[number];

export interface GoldenFile {
  readonly payloads: Readonly<Record<string, GoldenPayload>>;
  /** By ruling, in both reply forms. */
  readonly answers: Readonly<Record<string, { readonly exit: Reply; readonly json: Reply }>>;
}

interface GoldenPayload {
  /** Sent by that client, or made of the fields that are documented for it because no scripted run gets there. */
  readonly from: "recorded" | "documented";
  readonly payload: object;
  readonly event: object;
}

export interface Golden {
  readonly name: string;
  readonly event: string;
  /** As it goes in on standard input. */
  readonly text: string;
}

export function goldenPath(version: ClientVersion, event: string): string {
  return path.join(FOLDER, version, `${event}.json`);
}

export function readGolden(version: ClientVersion, event: string): GoldenFile {
  return JSON.parse(fs.readFileSync(goldenPath(version, event), "utf8")) as GoldenFile;
}

/** The events that have a file. */
export function goldenVersionFiles(version: ClientVersion): string[] {
  return fs
    .readdirSync(path.join(FOLDER, version))
    .map((file) => path.basename(file, ".json"))
    .sort();
}

/** With their paths moved into a world, in the order of a session: the report of a call comes after the question. */
export function goldenPayloads(world: World): Golden[] {
  return CLIENT_VERSIONS.flatMap((version) => {
    const events = goldenVersionFiles(version).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
    return events.flatMap((event) =>
      Object.entries(readGolden(version, event).payloads).map(([name, { payload }]) => ({
        name: `${version} ${event}: ${name}`,
        event,
        text: JSON.stringify(payload)
          .replaceAll("/home/dev/app", world.project)
          .replaceAll("/home/dev", world.userHome),
      })),
    );
  });
}

function rank(event: string): number {
  return ["SessionStart", "PreToolUse"].indexOf(event) + 1 || 3;
}
