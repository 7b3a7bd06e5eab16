/** Test helper: runs `hookwright check` in this process, with home and state in the folder `room`. */
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect } from "vitest";
import { DIST } from "../../../../test/support/world.ts";
import type { CheckResult } from "./check-command-line.ts";
import { runCheck } from "./run.ts";

export async function checkedIn(room: string, cwd: string, command: string): Promise<CheckResult> {
  let said = "";
  const out = (text: string): void => {
    said += text;
  };
  const env = { ...process.env, HOME: join(room, "home"), HOOKWRIGHT_HOME: join(room, "state") };
  const context = { args: [command], options: { json: true }, cwd, env, out, err: () => undefined };
  const code = await runCheck(context, { dist: DIST, input: Readable.from([]) });
  const checked = JSON.parse(said) as CheckResult;
  expect(code).toBe(checked.verdict === "pass" ? 0 : 2);
  return checked;
}
