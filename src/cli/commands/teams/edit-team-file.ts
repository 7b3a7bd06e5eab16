import fs from "node:fs";
import path from "node:path";
import { appendItem, appendMember, type JsonValue, removeAt, replaceNode } from "../../../agents/json-edit.ts";
import { memberNamed, type ObjectNode, parseJson, readValue } from "../../../agents/json-parser.ts";
import {
  errorCode,
  readSettingsFile,
  withErrorPosition,
  writeFailed,
  writeSettingsFile,
} from "../../../agents/settings-file.ts";
import { HookwrightError } from "../../../core/errors.ts";
import { makeFolder } from "../../../system/make-folder.ts";
import { timeInFileName } from "./capture-session.ts";

const LOCK_MS = 5_000;
/** The lock is held only briefly, so one older than this belongs to a process that has died. */
const STALE_MS = 10_000;
const TRIES = 5;

/**
 * Edits another program's JSON file under that program's own lock, after making a copy. Everything that is not edited
 * stays byte for byte. Returns false when there was nothing to change.
 */
export async function editSharedJson(file: string, backups: string, edit: (text: string) => string): Promise<boolean> {
  const unlock = await lockLikeOthers(file);
  try {
    for (let tries = 1; ; tries++) {
      const before = readSettingsFile(file);
      const text = before.text ?? "";
      const after = withErrorPosition(file, () => edit(text));
      if (after === text) return false;
      keepCopy(file, backups, before.bytes);
      try {
        writeSettingsFile(before, after);
        return true;
      } catch (error) {
        // Another program wrote without taking the lock: read its content and edit that.
        const isChanged = error instanceof HookwrightError && error.code === "HW_SETTINGS_CHANGED";
        if (!isChanged || tries === TRIES) throw error;
      }
    }
  } finally {
    unlock();
  }
}

/** Takes the agent's own kind of lock: a folder beside the file. */
async function lockLikeOthers(file: string): Promise<() => void> {
  const lock = `${file}.lock`;
  for (const until = Date.now() + LOCK_MS; ; ) {
    try {
      fs.mkdirSync(lock);
      return () => fs.rmdirSync(lock);
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw writeFailed(lock, error);
    }
    const stat = fs.lstatSync(lock, { throwIfNoEntry: false });
    // A plain file of that name is another kind of lock, which is ignored; the comparison before the write protects then.
    if (stat && !stat.isDirectory()) return () => undefined;
    if (stat && Date.now() - stat.mtimeMs > STALE_MS) fs.rmSync(lock, { recursive: true, force: true });
    else if (Date.now() > until) throw new HookwrightError("HW_TEAM_LOCKED", { file, seconds: LOCK_MS / 1_000 });
    else await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function keepCopy(file: string, backups: string, bytes: Buffer | undefined): void {
  if (bytes === undefined) return;
  const folder = path.join(backups, "teams", path.basename(path.dirname(file)));
  makeFolder(folder, 0o700);
  fs.writeFileSync(path.join(folder, `${timeInFileName(Date.now())}-${path.basename(file)}`), bytes, { mode: 0o600 });
}

type Root = { readonly doc: ReturnType<typeof parseJson>; readonly root: ObjectNode };

function rootOf(text: string): Root | undefined {
  const doc = parseJson(text);
  return doc.root.kind === "object" ? { doc, root: doc.root } : undefined;
}

/** Sets one field of an object. `place` is the path to it: field names and item numbers. */
function setField(text: string, place: readonly (string | number)[], key: string, value: JsonValue): string {
  const doc = parseJson(text);
  let node = doc.root;
  for (const step of place) {
    const next =
      typeof step === "number"
        ? node.kind === "array" && node.items[step]
        : node.kind === "object" && memberNamed(node, step)?.value;
    if (!next) return text;
    node = next;
  }
  if (node.kind !== "object") return text;
  const member = memberNamed(node, key);
  if (!member) return appendMember(doc, node, key, value);
  return readValue(doc, member.value) === value ? text : replaceNode(doc, member.value, value);
}

/** The members in the file, with their index. */
function membersIn(text: string): { readonly name: string; readonly index: number }[] {
  const found = rootOf(text);
  const members = found && memberNamed(found.root, "members")?.value;
  if (!found || members?.kind !== "array") return [];
  return members.items.map((item, index) => {
    const value = readValue(found.doc, item) as { name?: unknown; agentId?: unknown } | null;
    const name =
      typeof value?.name === "string" && value.name !== "" ? value.name : String(value?.agentId ?? "").split("@")[0];
    return { name: name ?? "", index };
  });
}

/** Sets another lead session. The other members become inactive until they report again. */
export function withLead(text: string, lead: string, session: string): string {
  let edited = setField(text, [], "leadSessionId", session);
  for (const { name, index } of membersIn(edited)) {
    if (name !== lead) edited = setField(edited, ["members", index], "isActive", false);
  }
  return edited;
}

export function withoutMembers(text: string, names: readonly string[]): string {
  let edited = text;
  for (const name of names) {
    const index = membersIn(edited).find((member) => member.name === name)?.index;
    const found = rootOf(edited);
    const members = found && memberNamed(found.root, "members")?.value;
    if (index !== undefined && found && members?.kind === "array") edited = removeAt(found.doc, members, index);
  }
  return edited;
}

export function withMessage(text: string, message: JsonValue): string {
  const doc = parseJson(text.trim() === "" ? "[]" : text);
  return doc.root.kind === "array" ? appendItem(doc, doc.root, message) : text;
}
