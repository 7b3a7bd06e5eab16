import path from "node:path";
import type { PolicyContext } from "../../core/policy.ts";
import { maskText } from "../../state/masking.ts";
import { OMC } from "../omc-folder/omc-folder.ts";

const NOTEPADS = `${OMC}/notepads`;
/** What is kept for each plan, one file for each kind. */
const FILES = ["learnings.md", "decisions.md", "issues.md", "problems.md"] as const;
const MOST_NOTEPADS = 20;
const LONGEST = 2_000;
/** New entries stand at the end of a file, so only its end is read. */
export const WISDOM_TAIL = 8 * 1024;

/** The end of one file, as it is told. A type alias, because facts are JSON. */
export type WisdomText = { readonly text: string; readonly isCut: boolean };

export interface WisdomFile extends WisdomText {
  /** Relative to the project. */
  readonly file: string;
}

export interface Wisdom {
  readonly files: readonly WisdomFile[];
  /** Files and folders that are there but cannot be used: a link could lead anywhere. */
  readonly unusable: readonly string[];
}

export interface WisdomLook extends Pick<PolicyContext, "info" | "list"> {
  tail(file: string): WisdomText | undefined;
}

/** What was learned about each plan of the project, in the order of the names. */
export function wisdomIn(project: string, look: WisdomLook): Wisdom {
  const unusable: string[] = [];
  const isA = (kind: "directory" | "file", name: string): boolean => {
    const found = look.info(path.join(project, name))?.kind;
    if (found !== undefined && found !== kind) unusable.push(name);
    return found === kind;
  };
  const areThere = isA("directory", OMC) && isA("directory", NOTEPADS);
  const names = areThere ? [...(look.list(path.join(project, NOTEPADS)) ?? [])].sort() : [];
  const notepads = names
    .map((name) => `${NOTEPADS}/${name}`)
    .filter((name) => isNotepad(path.join(project, name), look));
  const files = notepads.slice(-MOST_NOTEPADS).flatMap((notepad) =>
    FILES.flatMap((file): WisdomFile[] => {
      const name = `${notepad}/${file}`;
      if (!isA("file", name)) return [];
      const found = look.tail(path.join(project, name));
      if (found === undefined || found.text.includes("\uFFFD")) unusable.push(name);
      else if (found.text !== "") return [{ file: name, ...found }];
      return [];
    }),
  );
  return { files, unusable };
}

/** Other files may lie beside the notepads; a link is not followed, whoever made it. */
function isNotepad(folder: string, { info }: Pick<WisdomLook, "info">): boolean {
  return info(folder)?.kind === "directory";
}

/** The end of the text of a file, without the line of which the beginning was not read. */
export function wisdomText(tail: string): WisdomText {
  const isRead = Buffer.byteLength(tail) < WISDOM_TAIL;
  const whole = maskText(isRead ? tail : tail.slice(tail.indexOf("\n") + 1)).trim();
  if (whole.length <= LONGEST) return { text: whole, isCut: !isRead };
  const kept = whole.slice(-LONGEST);
  const line = kept.indexOf("\n");
  return { text: (line < 0 ? kept.toWellFormed() : kept.slice(line + 1)).trim(), isCut: true };
}

/** The files below each other, each with its newest part; where there is no room, their names. */
export function toldWisdom(files: readonly WisdomFile[], room: number): string {
  if (files.length === 0) return "";
  const share = Math.max(120, Math.floor(room / files.length));
  const shown = files.slice(0, Math.floor(room / share)).map(({ file, text, isCut }) => {
    const end = text.length > share ? text.slice(-share) : text;
    const isWhole = end === text && !isCut;
    return `${file}${isWhole ? "" : " (its end)"}:\n${end === text ? text : fromWord(end)}`;
  });
  const left = files.slice(shown.length).map(({ file }) => file);
  return [...shown, ...(left.length > 0 ? [`Also to be read: ${left.join(", ")}`] : [])].join("\n");
}

function fromWord(text: string): string {
  const at = text.search(/\s/);
  return `[…] ${at < 0 ? text.toWellFormed() : text.slice(at + 1)}`;
}
