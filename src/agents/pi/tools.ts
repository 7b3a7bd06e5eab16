import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isObject, type Json, type JsonObject } from "../../core/event.ts";
import type { ToolTable } from "../tool-table.ts";

const FILE = { file_path: "path" };

export const PI_TOOLS: ToolTable = new Map([
  ["bash", { kind: "shell" }],
  ["powershell", { kind: "shell", dialect: "powershell" }],
  ["edit", { kind: "edit", spelling: FILE, files: fileOf, input: editInput }],
  ["write", { kind: "edit", spelling: FILE, files: fileOf }],
  ["read", { kind: "read", spelling: FILE }],
]);

/** The replacements of an edit in our names. */
function editInput(given: JsonObject): JsonObject {
  const { edits, file_path = null } = given;
  if (!Array.isArray(edits)) return given;
  const ours = edits.map((edit: Json) => {
    const { oldText = null, newText = null } = isObject(edit) ? edit : {};
    return { file_path, old_string: oldText, new_string: newText };
  });
  return { ...given, edits: ours };
}

/** Spaces of other scripts, which pi reads as plain ones. */
const SPACES = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g;

/** The file that pi would write: it reads a path in more ways than the system does. None where it cannot be known. */
function fileOf({ file_path: given }: JsonObject): readonly string[] {
  if (typeof given !== "string" || given === "") return [];
  const file = given.replace(SPACES, " ").replace(/^@/, "");
  if (file === "~" || file.startsWith("~/")) return [path.join(os.homedir(), file.slice(1))];
  return file.startsWith("file://") ? fileOfUrl(file) : [file];
}

function fileOfUrl(url: string): readonly string[] {
  return URL.canParse(url) && new URL(url).host === "" ? [fileURLToPath(url)] : [];
}
