import path from "node:path";
import {
  checkWritable,
  readSettingsFile,
  removeSettingsFile,
  type SettingsFile,
  sha256OfBytes,
  withErrorPosition,
  writeSettingsFile,
} from "../../../agents/settings-file.ts";
import type { CommandContext } from "../../command.ts";
import { removeCompanions } from "../../installation/companions.ts";
import { homeOf } from "../../installation/current-build.ts";
import { forgetTrust } from "../../installation/hook-trust.ts";
import {
  findInstall,
  type InstallRecord,
  originalBytes,
  readInstalls,
  saveInstalls,
  withoutRecord,
} from "../../installation/installs.ts";
import { chosenAgents, readSetup, type Setup } from "../../installation/setup-options.ts";
import type { SystemPlaces } from "../../installation/system-folders.ts";
import { clearLeftProjects } from "../../state/left-projects.ts";
import { confirm, type Terminal } from "../../terminal/confirm.ts";

type Change =
  | { readonly kind: "restore"; readonly bytes: Buffer }
  | { readonly kind: "delete" }
  | { readonly kind: "edit"; readonly text: string };

/** `system` lets tests use another machine's folders. */
export async function runUninstall(
  context: CommandContext,
  terminal: Terminal,
  system?: SystemPlaces,
): Promise<number> {
  const { records } = readInstalls(homeOf(context.env));
  // The program of an agent may be gone, or not on the PATH of this shell.
  const isInstalled = (agent: string, scope: string): boolean =>
    records.some((one) => one.agent === agent && one.scope === scope);
  const agents = chosenAgents(context, isInstalled);
  if (agents.length === 0) context.out("Hookwright is not installed in any agent here; nothing was changed.");
  let code = 0;
  for (const agent of agents) {
    code = Math.max(code, await uninstall(context, readSetup("uninstall", context, agent, system), terminal));
  }
  return code;
}

async function uninstall(context: CommandContext, setup: Setup, terminal: Terminal): Promise<number> {
  const { store, isOurs, installer } = setup;
  const file = readSettingsFile(setup.file);
  const installs = readInstalls(store);
  const record = findInstall(installs, setup);
  const events = withErrorPosition(setup.file, () => installer.eventsIn(file.text, isOurs));
  const companions = installer.companions(setup.file);
  const [ownFolder] = companions.map((one) => path.dirname(one.file));
  const created = record?.createdDirectory ?? ownFolder;
  const forget = (): void => {
    const changed = removeCompanions(companions, record, created);
    for (const kept of changed) context.out(`${kept} was changed by somebody and stays. Delete it if nobody needs it.`);
    if (record === undefined) return;
    forgetTrust(setup, record);
    saveInstalls(store, installs, withoutRecord(installs.records, setup));
  };
  if (events.length === 0) {
    context.out(`Hookwright is not installed in ${setup.file}; nothing was changed.`);
    forget();
    return 0;
  }

  const change = withErrorPosition(setup.file, () => changeFor(file, record, setup));
  checkWritable(file);
  context.out(`${setup.declaration.title}, ${setup.scope} settings: ${setup.file}\n  ${announcement(change, events)}`);
  if (!setup.yes && !(await confirm("Change this file?", terminal))) {
    context.out("Nothing was changed.");
    return 1;
  }
  if (change.kind === "delete") removeSettingsFile(file, created);
  else writeSettingsFile(file, change.kind === "restore" ? change.bytes : change.text);
  forget();
  await clearLeftProjects(context, setup.home, { installs: readInstalls(store).records, endsModes: true });
  if (setup.scope === "managed") context.out(`The program files stay in ${store.root} until you delete them.`);
  if (record?.configured !== undefined) context.out(`The profiles stay written in ${record.configured}.`);
  context.out(`Uninstalled. The journal and other records stay in ${setup.home.root} until you delete them.`);
  return 0;
}

function changeFor(file: SettingsFile, record: InstallRecord | undefined, { installer, isOurs }: Setup): Change {
  const original = originalBytes(record);
  const untouched = file.bytes !== undefined && record?.writtenSha256 === sha256OfBytes(file.bytes);
  if (untouched && original !== undefined) return { kind: "restore", bytes: original };
  // A link's target is edited instead of deleted, because deleting it would leave a dangling link.
  if (untouched && record?.existedBefore === false && file.target === file.path) return { kind: "delete" };
  const text = installer.remove(file.text ?? "", isOurs, original?.toString("utf8"));
  if (text === "" && file.target === file.path) return { kind: "delete" };
  // In a folder of our own a file without our entries is of no use to anybody.
  const isOwnFile = installer.companions(file.path).length > 0;
  return isOwnFile && /^\s*\{\s*\}\s*$/.test(text) ? { kind: "delete" } : { kind: "edit", text };
}

function announcement(change: Change, events: readonly string[]): string {
  switch (change.kind) {
    case "restore":
      return "This restores the file as it was before `hookwright init`.";
    case "delete":
      return "This deletes the file, which did not exist before `hookwright init`.";
    case "edit":
      return `This removes the entries of Hookwright (${events.join(", ")}) and keeps everything else.`;
  }
}
