import fs from "node:fs";
import path from "node:path";
import { HookwrightError } from "../../../core/errors.ts";
import { safeName } from "../../../core/text/safe-name.ts";
import { registryIn } from "../../../domain/team/service.ts";
import { isMember, type Team, type TeamMember } from "../../../domain/team/team-config.ts";
import { makeFolder } from "../../../system/make-folder.ts";
import type { CommandContext } from "../../command.ts";
import { table } from "../../terminal/style.ts";
import { isPaneAlive, timeInFileName } from "./capture-session.ts";
import { editSharedJson, withoutMembers } from "./edit-team-file.ts";
import {
  entriesOf,
  type LivenessSource,
  livenessSource,
  openTeamAccess,
  requireTeam,
  type TeamAccess,
  withDatabase,
} from "./team-access.ts";

interface MemberCheck {
  readonly name: string;
  readonly isGone: boolean;
  readonly why: string;
}

/** Removes members that have ended from a team; never the lead. */
export async function cleanup(context: CommandContext, name: string): Promise<number> {
  const { options, out, err } = context;
  const access = openTeamAccess(context);
  const { team, file } = requireTeam(name, access);
  if (access.identity !== team.lead && isMember(team, access.identity)) {
    throw new HookwrightError("HW_TEAM_LEAD_ONLY", { team: name, lead: team.lead, who: access.identity });
  }
  const witness = await livenessSource(access);
  const isUnknown = witness.kind === "silent" || (witness.kind === "registry" && entriesOf(access, name).length === 0);
  if (isUnknown && !options.force) {
    const why =
      witness.kind === "silent" ? "the daemon does not answer" : "no session of this team was ever registered";
    err(
      `Nothing was removed from ${name}: ${why}, so it is unknown which members have ended. --force removes every member but the lead that does not seem to run.`,
    );
    return 1;
  }
  const judged: MemberCheck[] = [];
  const isLeadAlive = (await witness.isAlive(name, team.lead)) === true;
  for (const member of team.members) {
    if (member.name !== team.lead) judged.push(await judge(name, member, witness, isLeadAlive, access));
  }
  const gone = judged.filter(({ isGone }) => isGone).map((member) => member.name);
  await remove(gone, name, team, file, access);
  if (options.json) out(JSON.stringify({ team: name, removed: gone, members: judged }));
  else if (judged.length === 0) out(`${name} has no members but its lead.`);
  else out(table(judged.map(({ name: who, isGone, why }) => [isGone ? "removed" : "kept", who, why])));
  return 0;
}

async function judge(
  team: string,
  { name, pane }: TeamMember,
  witness: LivenessSource,
  isLeadAlive: boolean,
  { env }: TeamAccess,
): Promise<MemberCheck> {
  const alive = await witness.isAlive(team, name);
  if (alive !== undefined) return { name, isGone: !alive, why: alive ? "it is running" : "its session has ended" };
  if (isPaneAlive(pane, env)) return { name, isGone: false, why: `its pane ${pane} exists` };
  // A teammate inside the lead's process has no own session in the registry.
  if (pane === "in-process" && isLeadAlive) return { name, isGone: false, why: "it runs in the lead's process" };
  return { name, isGone: true, why: "nothing is known about it" };
}

async function remove(
  gone: readonly string[],
  name: string,
  team: Team,
  file: string,
  access: TeamAccess,
): Promise<void> {
  const others = gone.filter((member) => member !== team.lead && member !== "");
  if (others.length === 0) return;
  await editSharedJson(file, access.home.backups, (text) => withoutMembers(text, others));
  const kept = path.join(access.home.backups, "teams", name);
  for (const member of others) {
    const inbox = path.join(path.dirname(file), "inboxes", `${safeName(member)}.json`);
    // Moved, not deleted: it may contain unread messages.
    if (fs.existsSync(inbox)) moveInto(kept, inbox);
  }
  withDatabase(access, (db) =>
    db.transaction(() => {
      for (const member of others) registryIn(db).remove(name, member);
    }),
  );
}

function moveInto(folder: string, file: string): void {
  makeFolder(folder, 0o700);
  const target = path.join(folder, `${timeInFileName(Date.now())}-inbox-${path.basename(file)}`);
  fs.copyFileSync(file, target);
  fs.chmodSync(target, 0o600);
  fs.unlinkSync(file);
}
