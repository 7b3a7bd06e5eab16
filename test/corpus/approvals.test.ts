/**
 * Approvals beside the guard: what `hookwright check` stops is not approved, although the person has listed every group.
 * Both are asked in this process about the same command, in the same project and with the same configuration.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkCommandLine } from "../../src/cli/commands/check/check-command-line.ts";
import { examineEvent } from "../../src/cli/commands/explain/examine.ts";
import type { EventOf } from "../../src/core/event.ts";
import { corpus } from "../../src/domain/approvals/commands.samples.ts";
import { GROUP_NAMES } from "../../src/domain/approvals/groups.ts";
import { groupWith } from "../../src/domain/approvals/listed-command.ts";
import { plainCommand } from "../../src/domain/approvals/plain-command.ts";
import { homeAt } from "../../src/system/home.ts";
import { claudeEvent } from "../../src/testing/events.ts";
import { IS_LONG, sampled } from "../support/long.ts";
import { DIST } from "../support/world.ts";
import { readCorpus } from "./safety/lines.mjs";

const WIPE = "rm -rf data";
const listed = corpus.flatMap(({ command, group }) => (group === undefined ? [] : [command]));
const starting = listed.filter((command) => /^(?:npm|pnpm|yarn|bun) /.test(command));

/** Outside the folders for temporary files, in which nothing counts as lost. */
let room: string;
beforeAll(() => {
  room = fs.realpathSync(fs.mkdtempSync(path.join(os.homedir(), "hookwright-approvals-")));
  const config = { profiles: ["safety", "omc"], permissions: { approve: GROUP_NAMES } };
  fs.mkdirSync(path.join(room, "state"), { recursive: true });
  fs.writeFileSync(path.join(room, "state/config.yml"), JSON.stringify(config));
});
afterAll(() => fs.rmSync(room, { recursive: true, force: true }));

/** A project whose scripts all are this command. */
function projectWith(command: string): string {
  const project = fs.mkdtempSync(path.join(room, "project-"));
  const scripts = Object.fromEntries(["test", "check", "lint", "typecheck", "build"].map((name) => [name, command]));
  fs.mkdirSync(path.join(project, ".git"));
  fs.mkdirSync(path.join(project, "data"));
  fs.writeFileSync(path.join(project, "data/orders.csv"), "1\n");
  fs.writeFileSync(path.join(project, "package.json"), JSON.stringify({ scripts }));
  return project;
}

async function answersTo(command: string, project: string) {
  const home = homeAt(path.join(room, "state"), path.join(room, "home"));
  const input = { home, dist: DIST, cwd: project, env: { HOME: path.join(room, "home") } };
  const request = { hook_event_name: "PermissionRequest", session_id: "s", cwd: project, tool_name: "Bash" };
  const body = Buffer.from(JSON.stringify({ ...request, tool_input: { command } }));
  const event = "PermissionRequest";
  const { judgement } = await examineEvent({ ...input, copy: undefined, profiles: [], event, body });
  const { verdict } = await checkCommandLine(command, input);
  return { isApproved: judgement?.ruling.outcome === "approve", isStopped: verdict !== "pass" };
}

describe("a listed command of the corpus", () => {
  it("is approved in a project without surprises, where nothing is stopped", async () => {
    const project = projectWith("true");
    for (const command of sampled(listed, 8)) {
      const place = command.replace("/home/dev/app", project);
      expect(await answersTo(place, project), place).toEqual({ isApproved: true, isStopped: false });
    }
  }, 120_000);

  it("is approved only where it is not stopped, when the scripts of the project delete something", async () => {
    const project = projectWith(WIPE);
    let stopped = 0;
    for (const command of IS_LONG ? listed : starting) {
      const { isApproved, isStopped } = await answersTo(command, project);
      expect(isApproved && isStopped, command).toBe(false);
      if (isStopped) stopped++;
    }
    expect(stopped).toBeGreaterThan(10);
  }, 120_000);
});

it("no command that the guard must stop is on the list", () => {
  const dangerous = readCorpus().filter(({ expect: label }) => label === "block");
  const approved = dangerous.filter(({ command }) => {
    const tool = { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command } };
    const words = plainCommand(claudeEvent(tool) as EventOf<"permission.request">, "/home/dev");
    return words !== undefined && groupWith(words, GROUP_NAMES, () => true) !== undefined;
  });
  expect(dangerous.length).toBeGreaterThan(3_000);
  expect(approved.map(({ where }) => where)).toEqual([]);
});
