import { eventsInSettings, type IsOwnHandler, removeHooks } from "../../../agents/claude-code/install.ts";
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
import {
  findInstall,
  type InstallRecord,
  originalBytes,
  readInstalls,
  saveInstalls,
  withoutRecord,
} from "../../installation/installs.ts";
import { readSetup } from "../../installation/setup-options.ts";
import type { SystemPlaces } from "../../installation/system-folders.ts";
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
  const setup = readSetup("uninstall", context, system);
  const { store, isOurs } = setup;
  const file = readSettingsFile(setup.file);
  const installs = readInstalls(store);
  const record = findInstall(installs, setup);
  const events = withErrorPosition(setup.file, () => eventsInSettings(file.text, isOurs));
  const forget = (): void => {
    if (record !== undefined) saveInstalls(store, installs, withoutRecord(installs.records, setup));
  };
  if (events.length === 0) {
    context.out(`Hookwright is not installed in ${setup.file}; nothing was changed.`);
    forget();
    return 0;
  }

  const change = withErrorPosition(setup.file, () => changeFor(file, record, isOurs));
  checkWritable(file);
  context.out(`Claude Code, ${setup.scope} settings: ${setup.file}\n  ${announcement(change, events)}`);
  if (!setup.yes && !(await confirm("Change this file?", terminal))) {
    context.out("Nothing was changed.");
    return 1;
  }
  if (change.kind === "delete") removeSettingsFile(file, record?.createdDirectory ?? undefined);
  else writeSettingsFile(file, change.kind === "restore" ? change.bytes : change.text);
  forget();
  if (setup.scope === "managed") context.out(`The program files stay in ${store.root} until you delete them.`);
  if (record?.configured !== undefined) context.out(`The profiles stay written in ${record.configured}.`);
  context.out(`Uninstalled. The journal and other records stay in ${setup.home.root} until you delete them.`);
  return 0;
}

function changeFor(file: SettingsFile, record: InstallRecord | undefined, isOurs: IsOwnHandler): Change {
  const original = originalBytes(record);
  const untouched = file.bytes !== undefined && record?.writtenSha256 === sha256OfBytes(file.bytes);
  if (untouched && original !== undefined) return { kind: "restore", bytes: original };
  // A link's target is edited instead of deleted, because deleting it would leave a dangling link.
  if (untouched && record?.existedBefore === false && file.target === file.path) return { kind: "delete" };
  return { kind: "edit", text: removeHooks(file.text ?? "", isOurs, original?.toString("utf8")) };
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
