import path from "node:path";
import { eventsInSettings } from "../../../agents/grouped-hooks.ts";
import { installableAgent } from "../../../agents/installers.ts";
import { ownHandlersUnder } from "../../../agents/own-handlers.ts";
import { readSettingsFile, withErrorPosition } from "../../../agents/settings-file.ts";
import { describe, HookwrightError } from "../../../core/errors.ts";
import { isProfile } from "../../../core/settings/profiles.ts";
import { isSwitchedOff, offFileAt } from "../../../engine/receive/kill-switch.ts";
import { changedFilesOf } from "../../installation/changed-files.ts";
import { listenersOf } from "../../installation/event-listeners.ts";
import { trustProblem } from "../../installation/hook-trust.ts";
import { isProjectGone, projectOf, readInstalls } from "../../installation/installs.ts";
import { registeredEvents } from "../../installation/registered-events.ts";
import { placeOf } from "../../installation/setup-options.ts";
import { oldVersions, settingsNaming } from "../maintain/old-versions.ts";
import { currentVersion, type DoctorContext, type Installation, installationsOf } from "./context.ts";
import { type DoctorFinding, noteFinding, okFinding, problemFinding } from "./finding.ts";

const UNREAD = "Repair the file or move it away, then run `hookwright init`. The agent cannot use it either.";
const AGAIN = "Run `hookwright init` again";

export async function installedFinding(doctor: DoctorContext): Promise<DoctorFinding> {
  const name = "installed";
  const damaged = [doctor.home, doctor.places.store].find((store) => readInstalls(store).damaged);
  if (damaged) return problemFinding(name, `${damaged.installs} cannot be read`, `${AGAIN}.`);
  const all = installationsOf(doctor).filter(({ record }) => !isProjectGone(record));
  if (all.length === 0) {
    const unread = unreadableSettings(doctor);
    if (unread !== undefined) return problemFinding(name, `not installed, and ${unread.message}`, UNREAD);
    return problemFinding(name, "not installed: no agent's settings name Hookwright", "Run `hookwright init`.");
  }
  const looked = await Promise.all(
    all.map(async (one) => ({ what: await registrationProblem(doctor, one), record: one.record })),
  );
  const wrong = looked.filter(({ what }) => what !== "");
  if (wrong.length > 0) {
    const commands = [...new Set(wrong.map(({ record }) => initCommandFor(record)))];
    const fix = `Run ${commands.map((command) => `\`${command}\``).join(" and ")}, or \`hookwright doctor --fix\`.`;
    return problemFinding(name, wrong.map(({ what }) => what).join("; "), fix);
  }
  const fixed = ({ profile }: Installation["record"]): string =>
    profile.length === 0 ? "" : ` (profiles ${profile.join(", ")}, whatever the configuration says)`;
  const where = all.map(({ record }) => `${record.scope}: ${record.file}${fixed(record)}`).join(", ");
  const old = all.filter(({ record }) => record.version !== currentVersion(doctor));
  if (old.length === 0) return okFinding(name, where);
  const oldVersionsFinding = [...new Set(old.map(({ record }) => record.version))].join(", ");
  return noteFinding(
    name,
    `${where}; hooks run version ${oldVersionsFinding}, this is ${currentVersion(doctor)}`,
    `${AGAIN} to update.`,
  );
}

export function initCommandFor({ agent, scope }: Pick<Installation["record"], "agent" | "scope">): string {
  const named = agent === "claude-code" ? "" : ` --agent ${agent}`;
  return `hookwright init${named}${scope === "user" ? "" : ` --scope ${scope}`}`;
}

/** What is wrong with our entries in an agent's settings; empty when they are as `init` writes them. */
export async function registrationProblem(doctor: DoctorContext, { store, record }: Installation): Promise<string> {
  const { file, scope } = record;
  try {
    const { text } = readSettingsFile(file);
    if (text === undefined) return `${file} is missing, so its hooks are not called`;
    const isOurs = ownHandlersUnder(store.versions);
    const agent = installableAgent(record.agent);
    const { installer } = agent;
    const [found, isDisabled, fixed] = withErrorPosition(file, () => [
      installer.eventsIn(text, isOurs),
      installer.isDisabled(text),
      installer.profilesIn(text, isOurs).filter(isProfile),
    ]);
    const companion = installer.companions(file).find((one) => readSettingsFile(one.file).text === undefined);
    if (companion !== undefined) return `${companion.file} is missing, without which the agent does not read ${file}`;
    if (found.length === 0) return `${file} no longer holds any hook of Hookwright`;
    if (fixed.length > 0 && scope !== "managed")
      return `the hooks in ${file} use the profiles ${fixed.join(", ")}, whatever the configuration says`;
    const folder = scope === "project" || scope === "local" ? projectOf(file) : doctor.cwd;
    const policyWorker = path.join(doctor.dist, "outside-worker.cjs");
    const listeners = await listenersOf({ home: doctor.home, scope, folder, fixed, policyWorker });
    const missing = registeredEvents(listeners, agent).filter(({ event }) => !found.includes(event));
    if (missing.length > 0) {
      const events = missing.map(({ event }) => event).join(", ");
      return `${file} has no hook for ${events}, which the profiles ${listeners.profiles.join(", ")} need`;
    }
    if (listeners.hasApprovals && record.agent === "claude-code" && !text.includes('"--wait-ms"'))
      return `${file} does not let the agent wait for an answer in the dashboard, as \`approvals: browser\` asks for`;
    if (isDisabled) return `${file} switches all hooks off (disableAllHooks)`;
    return trustProblem({ ...agent, place: placeOf(doctor.env, folder), file, isOurs });
  } catch (error) {
    return describe(error);
  }
}

/** The error for the settings file that `hookwright init` would edit, when it cannot be read. */
function unreadableSettings({ env }: DoctorContext): HookwrightError | undefined {
  const file = userSettings(env);
  try {
    const { text } = readSettingsFile(file);
    if (text !== undefined) withErrorPosition(file, () => eventsInSettings(text, () => false));
    return undefined;
  } catch (error) {
    if (error instanceof HookwrightError) return error;
    throw error;
  }
}

function userSettings(env: NodeJS.ProcessEnv): string {
  return path.join(env.CLAUDE_CONFIG_DIR ?? path.join(env.HOME ?? "/", ".claude"), "settings.json");
}

export function integrityFinding(doctor: DoctorContext): DoctorFinding {
  const name = "files unchanged";
  const all = installationsOf(doctor);
  const changed = all.flatMap(({ store, record }) => changedFilesOf(store, record));
  const files = [...new Map(changed.map((one) => [one.file, one])).values()];
  if (files.length > 0) {
    const detail = files
      .map(({ file, what }) => `${file} ${what === "missing" ? "is missing" : "was changed"}`)
      .join("; ");
    return problemFinding(name, detail, `${AGAIN}, or \`hookwright doctor --fix\`, and find out what changed them.`);
  }
  const count = all.reduce((sum, { record }) => sum + Object.keys(record.files).length, 0);
  return okFinding(name, count === 0 ? "no files are installed" : "all installed files are unchanged");
}

export function versions(doctor: DoctorContext): DoctorFinding {
  const name = "old versions";
  const old = oldVersions(doctor.home, settingsNaming(doctor.env, doctor.cwd), Date.now()).filter(
    ({ why }) => why === "",
  );
  if (old.length === 0) return okFinding(name, "none");
  const names = old.map(({ folder }) => path.basename(folder)).join(", ");
  return noteFinding(name, `${names}: no longer used`, "Run `hookwright maintain` to remove them.");
}

export function goneProjectsFindings(doctor: DoctorContext): DoctorFinding[] {
  const gone = installationsOf(doctor).filter(({ record }) => isProjectGone(record));
  if (gone.length === 0) return [];
  const files = gone.map(({ record }) => record.file).join(", ");
  return [noteFinding("projects that are gone", files, "Run `hookwright maintain` to remove their records.")];
}

export function killSwitchFinding({ env, home }: DoctorContext): DoctorFinding {
  const name = "switched on";
  if (env.HOOKWRIGHT_DISABLE === "1") {
    return problemFinding(
      name,
      "no: HOOKWRIGHT_DISABLE=1 is set here, so every event passes",
      "Unset HOOKWRIGHT_DISABLE.",
    );
  }
  if (!isSwitchedOff(home.root)) return okFinding(name, "yes");
  return problemFinding(name, `no: ${offFileAt(home.root)} exists, so every event passes`, "Run `hookwright on`.");
}
