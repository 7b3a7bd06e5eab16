import type { TrustEntry } from "../../agents/hook-trust.ts";
import {
  readSettingsFile,
  removeSettingsFile,
  type SettingsFile,
  sha256OfBytes,
  writeSettingsFile,
} from "../../agents/settings-file.ts";
import { describe } from "../../core/errors.ts";
import type { CommandContext } from "../command.ts";
import { isConfirmed, type Questions } from "../terminal/confirm.ts";
import {
  findInstall,
  type InstallRecord,
  originalBytes,
  readInstalls,
  saveInstalls,
  storeBackup,
  type TrustRecord,
  withRecord,
} from "./installs.ts";
import type { Setup } from "./setup-options.ts";

/** Asks the person to trust our hooks and has the agent write that down, where an agent wants it. */
export async function trustHooks(context: CommandContext, setup: Setup, questions: Questions): Promise<void> {
  const { installer, declaration, place, file: hooksFile, isOurs, store } = setup;
  const { trust } = installer;
  if (!trust) return;
  const { title } = declaration;
  try {
    const entries = await trust.entries(hooksFile, place, isOurs);
    if (entries.length === 0) {
      context.out(`${title} does not list these hooks: it reads a project's hooks once you have trusted the project.`);
      return;
    }
    if (entries.every(({ isTrusted }) => isTrusted)) return;
    context.out(`${title} runs only hooks that you have trusted, and keeps that in ${trust.file(place)}.`);
    if (!setup.yes && !(await isConfirmed(`Trust these ${entries.length} hooks?`, questions))) {
      context.out(`${title} skips the hooks until you trust them, there or by \`hookwright init\`.`);
      return;
    }
    const before = readSettingsFile(trust.file(place));
    await trust.record(entries, place);
    const installs = readInstalls(store);
    const record = findInstall(installs, setup);
    if (!record) return;
    const trusted = trustRecord(setup, entries, { before, known: record.trust });
    saveInstalls(store, installs, withRecord(installs.records, { ...record, trust: trusted }));
    context.out(`${title} trusts them now.`);
  } catch (error) {
    context.out(`${title} could not be asked about its trust in these hooks (${describe(error)}).`);
    context.out(`It skips them until you trust them: run \`hookwright init\` again, or trust them in ${title}.`);
  }
}

function trustRecord(
  { installer, place, store }: Setup,
  entries: readonly TrustEntry[],
  { before, known }: { readonly before: SettingsFile; readonly known: TrustRecord | undefined },
): TrustRecord {
  const file = before.path;
  const written = readSettingsFile(installer.trust?.file(place) ?? file);
  const writtenSha256 = sha256OfBytes(written.bytes ?? Buffer.of());
  const keys = [...new Set([...(known?.keys ?? []), ...entries.map(({ key }) => key)])];
  if (known && before.bytes && sha256OfBytes(before.bytes) === known.writtenSha256) {
    return { ...known, writtenSha256, keys };
  }
  if (before.bytes === undefined || before.text === undefined) {
    return { file, originalSha256: null, originalFile: null, writtenSha256, keys };
  }
  const text = installer.trust?.forget(before.text, keys) ?? before.text;
  const original = text === before.text ? before.bytes : Buffer.from(text);
  const originalFile = storeBackup(store, original);
  return { file, originalSha256: sha256OfBytes(original), originalFile, writtenSha256, keys };
}

/** Takes back what `trustHooks` had written down. The hooks are no longer registered by then. */
export function forgetTrust({ installer }: Setup, { trust: record }: Pick<InstallRecord, "trust">): void {
  if (!record || !installer.trust) return;
  const file = readSettingsFile(record.file);
  if (file.bytes === undefined || file.text === undefined) return;
  const isUntouched = sha256OfBytes(file.bytes) === record.writtenSha256;
  const original = originalBytes(record);
  if (isUntouched && original) writeSettingsFile(file, original);
  else if (isUntouched && record.originalSha256 === null && file.target === file.path) removeSettingsFile(file);
  else {
    const text = installer.trust.forget(file.text, record.keys);
    if (text !== file.text) writeSettingsFile(file, text);
  }
}

/** Why an agent would skip hooks of ours in this file; empty when it runs them all. */
export async function trustProblem(setup: Pick<Setup, "installer" | "declaration" | "place" | "file" | "isOurs">) {
  const { installer, declaration, place, file, isOurs } = setup;
  if (!installer.trust) return "";
  try {
    const entries = await installer.trust.entries(file, place, isOurs);
    const skipped = entries.filter(({ isTrusted }) => !isTrusted).map(({ event }) => event);
    if (entries.length === 0) return `${declaration.title} does not list the hooks in ${file}, so it runs none of them`;
    return skipped.length === 0
      ? ""
      : `${declaration.title} skips the hooks in ${file} for ${skipped.join(", ")}, because nobody has trusted them as they are`;
  } catch (error) {
    return `${declaration.title} could not be asked whether it trusts the hooks in ${file} (${describe(error)})`;
  }
}
