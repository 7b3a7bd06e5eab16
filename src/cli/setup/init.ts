import path from "node:path";
import {
  type CommandHandler,
  entriesFor,
  hooksDisabled,
  installedEvents,
  installHooks,
  isBlank,
  oursUnder,
  removeHooks,
} from "../../agents/claude-code/install.ts";
import {
  checkWritable,
  missingDirectory,
  readSettingsFile,
  type SettingsFile,
  sha256,
  withPlace,
  writeSettingsFile,
} from "../../agents/settings-file.ts";
import type { CommandContext } from "../command.ts";
import { confirm, type Terminal } from "../confirm.ts";
import {
  backUp,
  findInstall,
  type InstallRecord,
  originalBytes,
  readInstalls,
  saveInstalls,
  withRecord,
} from "../installs.ts";
import { changedFiles } from "../integrity.ts";
import { profileNotes } from "../profile-notes.ts";
import { readSetup, type Setup } from "../setup-options.ts";
import type { SystemPlaces } from "../system-places.ts";
import { prepareVersionFolder, readBuild, type VersionSource, versionName } from "../version-folder.ts";
import { assertPublicNode, openToEverybody } from "./managed.ts";

export interface InitParts {
  readonly events: readonly { readonly event: string; readonly guarded: boolean }[];
  readonly packageRoot: string;
  /** False for a client that does not know how a hook fails closed. */
  readonly failsClosed?: boolean;
  readonly terminal: Terminal;
  /** For tests: another Node than the running one, another machine than this. */
  readonly source?: Partial<VersionSource>;
  readonly system?: SystemPlaces;
}

export async function runInit(context: CommandContext, parts: InitParts): Promise<number> {
  const setup = readSetup("init", context, parts.system);
  const { store, scope } = setup;
  const node = parts.source?.node ?? process.execPath;
  if (scope === "managed") assertPublicNode(node);
  const version = versionName(readBuild(parts.packageRoot));
  const file = readSettingsFile(setup.file);
  const installs = readInstalls(store);
  const record = findInstall(installs, setup);
  const isOurs = oursUnder(store.versions);
  const planned = (client: CommandHandler): string =>
    withPlace(setup.file, () => {
      const entries = entriesFor({
        events: parts.events,
        scope,
        client,
        profiles: setup.profiles,
        failsClosed: parts.failsClosed !== false,
      });
      return installHooks(file.text, { file: setup.file, entries, isOurs });
    });

  // Which client there will be is known only once the version folder is made, and that comes after the question.
  const folder = path.join(store.versions, version);
  const likely = [
    { command: path.join(folder, "hook"), args: [] },
    { command: node, args: [path.join(folder, "hook.cjs")] },
  ];
  const isCurrent = likely.map(planned).includes(file.text ?? "");
  if (!isCurrent) {
    checkWritable(file);
    announce(context, setup, file, parts.events, installedEvents(file.text, isOurs).length > 0);
    if (!setup.yes && !(await confirm("Change this file?", parts.terminal))) {
      context.out("Nothing was changed.");
      return 1;
    }
  }

  let client: CommandHandler = { command: "hookwright", args: ["hook"] };
  let files: Record<string, string> = {};
  if (scope !== "project") {
    context.progress?.(`Building the client and copying version ${version} into ${store.versions}`);
    const made = prepareVersionFolder({
      packageRoot: parts.packageRoot,
      versions: store.versions,
      env: context.env,
      isShared: scope === "managed",
      isRepair: installs.records.some((one) => one.version === version && changedFiles(store, one).length > 0),
      ...parts.source,
    });
    client = made.client;
    files = made.files;
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
    writtenSha256: sha256(Buffer.from(text)),
    profile: [...setup.profiles],
    at: new Date().toISOString(),
  };
  // The record first: if the machine stops in between, uninstall still knows the original.
  saveInstalls(store, installs, withRecord(installs.records, next));
  if (installs.damaged) context.out(`${store.installs} could not be read and was renamed. A new record was started.`);
  if (text !== file.text) {
    try {
      writeSettingsFile(file, text);
    } catch (error) {
      saveInstalls(store, readInstalls(store), installs.records);
      throw error;
    }
    if (scope === "managed") openToEverybody(file, next.createdDirectory);
  }
  report(context, setup, next, client, text === file.text);
  if (hooksDisabled(text))
    context.out("This file sets disableAllHooks, so no hook runs until you remove that setting.");
  return 0;
}

/**
 * What uninstall shall give back. While the file still is what we wrote, that is what was there before the first
 * install; once a person has edited it, it is their file without our entries.
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
  if (record !== undefined && sha256(file.bytes) === record.writtenSha256) {
    const { existedBefore, originalSha256, originalFile } = record;
    return { existedBefore, originalSha256, originalFile, createdDirectory };
  }
  const isOurs = oursUnder(setup.store.versions);
  const stripped = removeHooks(file.text, isOurs, originalBytes(record)?.toString("utf8"));
  // Only laid out anew, by the agent for instance: without us there still would be no file.
  if (record?.existedBefore === false && stripped !== file.text && /^\s*\{\s*\}\s*$/.test(stripped)) {
    return { ...absent, createdDirectory };
  }
  const original = stripped === file.text ? file.bytes : Buffer.from(stripped);
  backUp(setup.store, file.bytes);
  const originalFile = backUp(setup.store, original);
  return { existedBefore: true, originalSha256: sha256(original), originalFile, createdDirectory };
}

function announce(
  context: CommandContext,
  { file: name, scope, profiles }: Setup,
  file: SettingsFile,
  events: InitParts["events"],
  isUpdate: boolean,
): void {
  const state = file.text === undefined ? " (new file)" : isBlank(file.text) ? " (empty now)" : "";
  context.out(`Claude Code, ${scope} settings: ${name}${state}`);
  if (file.target !== name) context.out(`  This is a link to ${file.target}.`);
  context.out(`  Hookwright ${isUpdate ? "updates its entry" : "adds one entry"} for each of ${events.length} events:`);
  // Where it fails closed: the agent goes without the call rather than without the guard.
  const isGuarded = ({ guarded }: InitParts["events"][number]): boolean => guarded && scope !== "project";
  context.out(`  ${events.map((one) => (isGuarded(one) ? `${one.event} (guarded)` : one.event)).join(", ")}`);
  if (events.some(isGuarded)) context.out("  (guarded): if the hook fails, the agent does not make the call.");
  if (profiles.length === 0) return;
  context.out(`  profiles: ${profiles.join(", ")}`);
  for (const note of profileNotes(profiles)) context.out(`  ${note}`);
}

function report(
  context: CommandContext,
  { file, scope }: Setup,
  record: InstallRecord,
  client: CommandHandler,
  unchanged: boolean,
): void {
  context.out(unchanged ? `Already installed in ${file}; nothing was changed there.` : `Installed in ${file}.`);
  if (scope === "project" || scope === "local") {
    const folder = path.dirname(path.dirname(file));
    if (path.resolve(context.cwd) !== folder) context.out(`Claude Code reads it when started in ${folder}.`);
  }
  if (scope === "project") context.out("Everyone who uses this project needs `hookwright` on their PATH.");
  else context.out(`Client: ${[client.command, ...client.args].join(" ")}`);
  if (scope === "local") context.out("The file names a folder of your home: do not commit it.");
  if (scope === "managed") context.out("It applies to everybody on this machine, and only root can remove it.");
  if (record.originalFile !== null) context.out(`A copy of the file as it was before: ${record.originalFile}`);
  if (!unchanged) context.out(`To undo: hookwright uninstall${scope === "user" ? "" : ` --scope ${scope}`}`);
}
