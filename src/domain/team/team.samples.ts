import type { AnyEvent, JsonObject } from "../../core/event.ts";
import type { Policy } from "../../core/policy.ts";
import { openTable, PERSON_SCOPE } from "../../state/stores.ts";
import { claudeEvent, PROJECT, SESSION, toolBefore, USER_HOME } from "../../testing/events.ts";
import type { FakeFile } from "../../testing/fake-ports.ts";
import { createSandbox, type SandboxOptions, type Sent } from "../../testing/sandbox.ts";
import { openRegistry, type TeamRegistryEntry } from "./registry.ts";

/** A project that uses agent-team-mail, and its team, for the cases of several policies. */
export const ATM_TOML = `${PROJECT}/.atm.toml`;
export const EVENTS_FILE = `${USER_HOME}/.claude/daemon/hooks/events.jsonl`;
export const LEAD = SESSION;
export const TEAMMATE = "99999999-2222-3333-4444-555555555555";

export const ATM_PROJECT = '[core]\ndefault_team = "atm-dev"\nidentity = "team-lead"\n';

export function teamFile(team: JsonObject = {}, name = "atm-dev"): Record<string, FakeFile> {
  const members = [{ name: "team-lead", agentId: `team-lead@${name}` }, { name: "bob" }, { agentId: `eve@${name}` }];
  const whole = { name, leadAgentId: `team-lead@${name}`, leadSessionId: LEAD, members, ...team };
  return { [`${USER_HOME}/.claude/teams/${name}/config.json`]: JSON.stringify(whole) };
}

export const inProject = (text = ATM_PROJECT): { files: Record<string, FakeFile> } => ({
  files: { [ATM_TOML]: text, ...teamFile() },
});

export const sessionStartEvent = (more: JsonObject = {}): AnyEvent =>
  claudeEvent({ hook_event_name: "SessionStart", source: "startup", ...more });
export const sessionEndEvent = (more: JsonObject = {}): AnyEvent =>
  claudeEvent({ hook_event_name: "SessionEnd", reason: "other", ...more });
export const teammateIdleEvent = (more: JsonObject = {}): AnyEvent =>
  claudeEvent({ hook_event_name: "TeammateIdle", teammate_name: "bob", team_name: "atm-dev", ...more });
export const spawnEvent = (input: JsonObject, more: JsonObject = {}): AnyEvent =>
  toolBefore("Agent", { description: "d", prompt: "p", ...input }, more);

/** The facts that a report needs, which are read before the `settled` handler runs. */
export const LOOKED_AHEAD = [
  `toml:${ATM_TOML}`,
  `file:${USER_HOME}/.claude/teams/atm-dev/config.json`,
  `info:${USER_HOME}/.claude/daemon/atm-daemon.sock`,
];

export interface TeamOutcome {
  readonly sent: readonly Sent[];
  readonly registry: readonly TeamRegistryEntry[];
  /** Lines to be appended to files of other programs, by file. */
  readonly lines: Readonly<Record<string, readonly JsonObject[]>>;
  readonly jobs: readonly { readonly name: string; readonly args: JsonObject }[];
  readonly mirrors: Readonly<Record<string, string>>;
}

/** Sends the events and returns what was sent and stored. */
export async function playTeamEvents(
  policies: readonly Policy[],
  options: SandboxOptions,
  ...events: AnyEvent[]
): Promise<TeamOutcome> {
  const sandbox = createSandbox(policies, options);
  const { db } = sandbox;
  try {
    const sent: Sent[] = [];
    for (const event of events) sent.push(await sandbox.send(event));
    const lines: Record<string, JsonObject[]> = {};
    for (const row of db.all("SELECT path, line FROM lines ORDER BY id")) {
      const file = String(row.path);
      lines[file] = [...(lines[file] ?? []), JSON.parse(String(row.line)) as JsonObject];
    }
    const jobs = db
      .all("SELECT name, args FROM jobs WHERE name LIKE 'teams/%' ORDER BY id")
      .map((row) => ({ name: String(row.name), args: JSON.parse(String(row.args)) as JsonObject }));
    const mirrors = db.all("SELECT path, content FROM mirrors");
    return {
      sent,
      registry: openRegistry(openTable(db, PERSON_SCOPE, "teams")).all(),
      lines,
      jobs,
      mirrors: Object.fromEntries(mirrors.map((row) => [String(row.path), String(row.content)])),
    };
  } finally {
    sandbox.close();
  }
}
