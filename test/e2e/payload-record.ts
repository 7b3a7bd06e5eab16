/** Registers a recorder for every event of the client under test, and reads back what the client sent to it. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { knowsEvent } from "../../src/agents/claude-code/client-version.ts";
import { CLAUDE_EVENTS, type ClaudeEvent } from "../../src/agents/claude-code/events.ts";
import { clientUnderTest } from "./client.ts";
import type { Scratch } from "./scratch.ts";

/** `HOOKWRIGHT_E2E_RECORD=FILE npm run e2e -- payloads` keeps every payload there, to make golden files of. */
const KEPT = process.env.HOOKWRIGHT_E2E_RECORD;

export function knownEvents(): ClaudeEvent[] {
  return (Object.keys(CLAUDE_EVENTS) as ClaudeEvent[]).filter((event) => knowsEvent(event, clientUnderTest().version));
}

function recordFile(scratch: Scratch): string {
  return join(scratch.home, "payloads.jsonl");
}

/** A worktree hook has to make the worktree as well; the client takes the path that it prints. */
export function recordPayloads(scratch: Scratch): void {
  const worktree = join(scratch.root, "worktree");
  const hooks = knownEvents().map((event) => {
    const record = `cat >> ${recordFile(scratch)}`;
    const command = event === "WorktreeCreate" ? `${record}; mkdir -p ${worktree}; echo ${worktree}` : record;
    const matcher = event === "FileChanged" ? { matcher: "watched.txt" } : {};
    return [event, [{ ...matcher, hooks: [{ type: "command", command }] }]];
  });
  scratch.write(scratch.userSettings, JSON.stringify({ hooks: Object.fromEntries(hooks) }));
}

/** One line of JSON each, in the order they came in. */
export function recordedPayloads(scratch: Scratch): string[] {
  const file = recordFile(scratch);
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
  if (KEPT !== undefined) for (const line of lines) appendFileSync(KEPT, `${inCommonPlaces(line, scratch)}\n`);
  return lines;
}

/** With the folders that golden files use, which mean nothing on any machine. */
function inCommonPlaces(line: string, scratch: Scratch): string {
  const slug = (path: string): string => path.replaceAll(/[^A-Za-z0-9]/g, "-");
  return [
    [scratch.project, "/home/dev/app"],
    [slug(scratch.project), "-home-dev-app"],
    [scratch.home, "/home/dev"],
    [scratch.root, "/home/dev/other"],
  ].reduce((text, [from = "", to = ""]) => text.replaceAll(from, to), line);
}
