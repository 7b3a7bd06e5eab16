import path from "node:path";
import { isBlank } from "../../../agents/grouped-hooks.ts";
import { type InstallableAgent, installableAgent } from "../../../agents/installers.ts";
import { type CommandHandler, SHARED_CLIENT } from "../../../agents/own-handlers.ts";
import {
  checkWritable,
  missingDirectory,
  readSettingsFile,
  type SettingsFile,
  sha256OfBytes,
  withErrorPosition,
  writeSettingsFile,
} from "../../../agents/settings-file.ts";
import type { CommandContext } from "../../command.ts";
import { changedFilesOf } from "../../installation/changed-files.ts";
import { findCompanions, hashesOf, removeCompanions, writeCompanions } from "../../installation/companions.ts";
import { engineNote } from "../../installation/engine-on-path.ts";
import { listenersOf } from "../../installation/event-listeners.ts";
import { trustHooks } from "../../installation/hook-trust.ts";
import {
  findInstall,
  type InstallRecord,
  originalBytes,
  readInstalls,
  saveInstalls,
  storeBackup,
  withRecord,
} from "../../installation/installs.ts";
import { assertPublicNode, openToEverybody } from "../../installation/managed-scope.ts";
import { chooseProfiles, type ProfileChoice, profileNotes, trustNote } from "../../installation/profiles.ts";
import type { Listeners, RegisteredEvent } from "../../installation/registered-events.ts";
import { chosenAgents, readSetup, type Setup } from "../../installation/setup-options.ts";
import type { SystemPlaces } from "../../installation/system-folders.ts";
import { prepareVersionFolder, readBuild, type VersionSource, versionName } from "../../installation/version-folder.ts";
import { clearLeftProjects } from "../../state/left-projects.ts";
import { isConfirmed, openQuestions, type Questions, type Terminal } from "../../terminal/confirm.ts";

const STATUS_LINE = '"statusLine": { "type": "command", "command": "hookwright statusline" }';

export interface InitParts {
  /** The events to register for these listeners. */
  events(listeners: Listeners, agent: InstallableAgent): readonly RegisteredEvent[];
  readonly packageRoot: string;
  /** Of the agent, where it is known. */
  version?(agent: InstallableAgent): string | undefined;
  readonly terminal: Terminal;
  /** For tests: another Node and another machine. */
  readonly source?: Partial<VersionSource>;
  readonly system?: SystemPlaces;
}

export async function runInit(context: CommandContext, parts: InitParts): Promise<number> {
  const questions = openQuestions(parts.terminal);
  try {
    const agents = chosenAgents(context);
    if (agents.length === 0) {
      context.err("hookwright init: no agent was found on the PATH. Name one with `--agent`.");
      return 1;
    }
    if (agents.length > 1)
      context.out(`Agents: ${agents.map((name) => installableAgent(name).declaration.title).join(", ")}`);
    let code = 0;
    for (const agent of agents) code = Math.max(code, await install(context, agent, parts, questions));
    return code;
  } finally {
    questions.close();
  }
}

async function install(
  context: CommandContext,
  agent: string,
  parts: InitParts,
  questions: Questions,
): Promise<number> {
  const setup = readSetup("init", context, agent, parts.system);
  const { store, scope, isOurs, installer } = setup;
  const node = parts.source?.node ?? process.execPath;
  if (scope === "managed") assertPublicNode(node);
  const version = versionName(readBuild(parts.packageRoot));
  const file = readSettingsFile(setup.file);
  const installs = readInstalls(store);
  const record = findInstall(installs, setup);
  const companions = findCompanions(installer.companions(setup.file), record);
  const registered = withErrorPosition(setup.file, () => installer.eventsIn(file.text, isOurs));
  const isAgain = record !== undefined || registered.length > 0;
  const choice = await chooseProfiles(context, setup, file, { questions, terminal: parts.terminal, isAgain });
  if (choice === undefined) return nothingChanged(context);
  const events = await eventsFor(context, setup, choice, registered, parts);
  const planned = (client: CommandHandler): string =>
    withErrorPosition(setup.file, () => {
      const wanted = { file: setup.file, events, scope, client, profiles: choice.fixed, isOurs };
      return installer.install(file.text, wanted, parts.version?.(setup));
    });

  // The kind of client is known only after the version folder is built, which happens after the question.
  const folder = path.join(store.versions, version);
  const likely = [
    { command: path.join(folder, "hook"), args: [] },
    { command: node, args: [path.join(folder, "hook.cjs")] },
  ];
  const isCurrent = likely.map(planned).includes(file.text ?? "") && companions.every((one) => one.isCurrent);
  if (!isCurrent || choice.edit) {
    if (!isCurrent) {
      checkWritable(file);
      announce(context, setup, file, events, registered.length > 0);
      for (const one of companions) if (!one.isCurrent) context.out(`  writes ${one.file} beside it`);
    }
    if (choice.edit) context.out(`  writes \`profiles: [${choice.names.join(", ")}]\` into ${choice.edit.file.path}`);
    for (const note of profileNotesFor(setup, choice)) context.out(`  ${note}`);
    if (!setup.yes && !(await isConfirmed("Write these changes?", questions))) return nothingChanged(context);
  }

  let client = SHARED_CLIENT;
  let files: Record<string, string> = {};
  let programs = path.join(parts.packageRoot, "dist");
  if (scope !== "project") {
    context.progress?.(`Building the client and copying version ${version} into ${store.versions}`);
    const made = prepareVersionFolder({
      packageRoot: parts.packageRoot,
      versions: store.versions,
      env: context.env,
      isShared: scope === "managed",
      isRepair: installs.records.some((one) => one.version === version && changedFilesOf(store, one).length > 0),
      ...parts.source,
    });
    client = made.client;
    files = made.files;
    programs = made.directory;
    for (const note of made.notes) context.out(`${note}`);
  }
  const text = planned(client);
  const next: InstallRecord = {
    ...(record ?? {}),
    agent: setup.agent,
    scope,
    file: setup.file,
    version,
    files,
    ...originalOf(setup, file, record),
    guarded: events.filter(({ guarded }) => guarded).map(({ event }) => event),
    ...(companions.length > 0 ? { companions: hashesOf(companions) } : {}),
    writtenSha256: sha256OfBytes(Buffer.from(text)),
    profile: [...choice.fixed],
    ...(choice.edit ? { configured: choice.edit.file.path } : {}),
    at: new Date().toISOString(),
  };
  // Profiles first: profiles without hooks do no harm, but hooks without their profiles would look like a guard.
  if (choice.edit) writeSettingsFile(choice.edit.file, choice.edit.text);
  // The record before the settings: after a crash in between, uninstall still knows the original file.
  saveInstalls(store, installs, withRecord(installs.records, next));
  if (installs.damaged) context.out(`${store.installs} could not be read and was renamed. A new record was started.`);
  const isUnchanged = text === file.text && companions.every((one) => one.isCurrent);
  if (!isUnchanged) {
    try {
      writeCompanions(companions);
      if (text !== file.text) writeSettingsFile(file, text);
    } catch (error) {
      if (record === undefined) removeCompanions(companions, next, next.createdDirectory ?? undefined);
      saveInstalls(store, readInstalls(store), installs.records);
      throw error;
    }
    if (scope === "managed") openToEverybody(file, next.createdDirectory);
  }
  report(context, setup, next, client, isUnchanged);
  await trustHooks(context, setup, questions);
  reportProfiles(context, setup, choice);
  if (setup.profiles.length > 0) {
    await clearLeftProjects(context, setup.home, { installs: readInstalls(store).records, endsModes: false });
  }
  if (choice.names.includes("session")) context.out(engineNote(context.env, programs));
  if (!isUnchanged && setup.agent === "claude-code" && scope === "user" && !/"statusLine"\s*:/.test(text)) {
    context.out(`To see profiles, denials and modes while you work, add to ${setup.file}:\n  ${STATUS_LINE}`);
  }
  if (installer.isDisabled(text))
    context.out("This file sets disableAllHooks, so no hook runs until you remove that setting.");
  return 0;
}

/**
 * The original file that uninstall restores. As long as the file is what we wrote, that is the file before the first
 * installation; once a person has edited it, it is the edited file without our entries.
 */
function originalOf(
  setup: Setup,
  file: SettingsFile,
  record: InstallRecord | undefined,
): Pick<InstallRecord, "existedBefore" | "originalSha256" | "originalFile" | "createdDirectory"> {
  const absent = { existedBefore: false, originalSha256: null, originalFile: null };
  if (file.bytes === undefined || file.text === undefined) {
    return { ...absent, createdDirectory: missingDirectory(file) ?? null };
  }
  const createdDirectory = record?.createdDirectory ?? null;
  if (record !== undefined && sha256OfBytes(file.bytes) === record.writtenSha256) {
    const { existedBefore, originalSha256, originalFile } = record;
    return { existedBefore, originalSha256, originalFile, createdDirectory };
  }
  const stripped = setup.installer.remove(file.text, setup.isOurs, originalBytes(record)?.toString("utf8"));
  // The file was only reformatted, for example by the agent: without our entries there would still be no file.
  const isOnlyReformatted = record?.existedBefore === false && /^\s*\{\s*\}\s*$/.test(stripped);
  const isOursAsAWhole = isBlank(stripped);
  if (stripped !== file.text && (isOnlyReformatted || isOursAsAWhole)) return { ...absent, createdDirectory };
  const original = stripped === file.text ? file.bytes : Buffer.from(stripped);
  storeBackup(setup.store, file.bytes);
  const originalFile = storeBackup(setup.store, original);
  return { existedBefore: true, originalSha256: sha256OfBytes(original), originalFile, createdDirectory };
}

function announce(
  context: CommandContext,
  { file: name, scope, declaration }: Setup,
  file: SettingsFile,
  events: readonly RegisteredEvent[],
  isUpdate: boolean,
): void {
  const state = file.text === undefined ? " (new file)" : isBlank(file.text) ? " (empty now)" : "";
  context.out(`${declaration.title}, ${scope} settings: ${name}${state}`);
  if (file.target !== name) context.out(`  This is a link to ${file.target}.`);
  context.out(`  Hookwright ${isUpdate ? "updates its entry" : "adds one entry"} for each of ${events.length} events:`);
  // "guarded" is shown for events at which the agent denies a call when the hook fails.
  const failsClosed = Object.values(declaration.onFailure).includes("denies");
  const isGuarded = ({ guarded }: RegisteredEvent): boolean => guarded && failsClosed && scope !== "project";
  context.out(`  ${events.map((one) => (isGuarded(one) ? `${one.event} (guarded)` : one.event)).join(", ")}`);
}

/** A project's file only adds profiles to those of each person, so a missing `safety` in it means nothing. */
function profileNotesFor({ scope }: Setup, { names, fixed }: ProfileChoice): string[] {
  if (scope === "project") return profileNotes(["safety", ...names]);
  return scope === "managed" && fixed.length === 0 ? [] : profileNotes(names);
}

function reportProfiles(context: CommandContext, setup: Setup, choice: ProfileChoice): void {
  const { names, from, edit } = choice;
  const shown = names.length > 0 ? `${names.join(", ")} (${from})` : from;
  if (edit) context.out(`Wrote the profiles into ${edit.file.path}.`);
  context.out(
    `Profiles: ${shown}. To change them: hookwright init${options(setup.agent, setup.scope)} --profile NAME,…`,
  );
  const trust = trustNote(setup, choice);
  if (trust !== "") context.out(trust);
}

/**
 * Without `--profile`, already registered events stay registered: another project with more profiles may need them.
 */
async function eventsFor(
  { cwd }: CommandContext,
  setup: Setup,
  { edit, fixed }: ProfileChoice,
  registered: readonly string[],
  parts: InitParts,
): Promise<readonly RegisteredEvent[]> {
  const { home, scope, project, profiles } = setup;
  const folder = scope === "project" || scope === "local" ? project : cwd;
  const policyWorker = path.join(parts.packageRoot, "dist", "outside-worker.cjs");
  const text = edit ? { text: edit.text } : {};
  const listeners = await listenersOf({ home, scope, folder, fixed, policyWorker, ...text });
  return parts.events(profiles.length > 0 ? listeners : { ...listeners, registered }, setup);
}

function nothingChanged(context: CommandContext): number {
  context.out("Nothing was changed.");
  return 1;
}

function report(
  context: CommandContext,
  { file, scope, project, agent, declaration }: Setup,
  record: InstallRecord,
  client: CommandHandler,
  unchanged: boolean,
): void {
  context.out(unchanged ? `Already installed in ${file}; nothing was changed there.` : `Installed in ${file}.`);
  if (scope === "project" || scope === "local") {
    if (path.resolve(context.cwd) !== project) context.out(`${declaration.title} reads it when started in ${project}.`);
  }
  if (scope === "project") context.out("Everyone who uses this project needs `hookwright` on their PATH.");
  else context.out(`Client: ${[client.command, ...client.args].join(" ")}`);
  if (scope === "local") context.out("The file names a folder of your home: do not commit it.");
  if (scope === "managed") context.out("It applies to everybody on this machine, and only root can remove it.");
  if (record.originalFile !== null) context.out(`The file as it was: ${record.originalFile}`);
  if (!unchanged) context.out(`To undo: hookwright uninstall${options(agent, scope)}`);
}

function options(agent: string, scope: string): string {
  return `${agent === "claude-code" ? "" : ` --agent ${agent}`}${scope === "user" ? "" : ` --scope ${scope}`}`;
}
