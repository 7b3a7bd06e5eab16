import path from "node:path";
import { changed, objectIn, type SessionState, textsIn } from "../state.ts";
import type { RuleInForce } from "./in-force.ts";
import { resolveFiles, resolveText } from "./payload.ts";
import type { SessionRule } from "./rule.ts";

/** Of one file, so that a large one does not push the others out; the rest is there to be read. */
const MOST_OF_A_FILE = 6_000;
const PENDING = ["pendingDirectives", "pendingTemplates", "pendingCommands"];

export interface Place {
  readonly cwd: string;
  readonly project: string;
  readonly userHome: string;
}

/** The files a rule puts into the context: those it names that are not there yet. */
export function filesToLoad(rule: RuleInForce, state: SessionState, place: Place): string[] {
  if (rule.mode !== "preload") return [];
  const loaded = new Set(textsIn(state, "preloadedFiles"));
  const files = resolveFiles(rule.payload.files, state).map((file) => absolute(file, place));
  return [...new Set(files)].filter((file) => !loaded.has(file) && mayLoad(file, rule, place));
}

/** A state file or a project's rule shall not bring what lies elsewhere into the context; the person's own rule may. */
function mayLoad(file: string, rule: RuleInForce, place: Place): boolean {
  const { files } = rule.payload;
  const named = files === undefined ? [] : typeof files === "string" ? [files] : files;
  if (rule.isPersons && named.some((one) => absolute(one, place) === file)) return true;
  const folders = [place.cwd, place.project, path.join(place.userHome, ".claude")];
  return folders.some((folder) => file.startsWith(`${folder}/`));
}

function absolute(file: string, { cwd, userHome }: Place): string {
  return path.resolve(cwd, file.replace(/^~(?=\/|$)/, userHome));
}

/** What a rule says; empty when everything it would load is loaded or missing. */
export function sayingOf(
  rule: SessionRule,
  state: SessionState,
  files: readonly string[],
  text: (file: string) => string | undefined,
): string {
  const own = rule.payload.text === undefined ? "" : resolveText(rule.payload.text, state);
  switch (rule.mode) {
    case "inline":
      return own;
    case "read": {
      const list = resolveFiles(rule.payload.files, state).join(", ");
      return [own, list === "" ? "" : `Read: ${list}.`].filter((one) => one !== "").join(" ");
    }
    case "paste": {
      const command = commandOf(rule, state);
      return [own, command === "" ? "" : `Run \`${command}\`.`].filter((one) => one !== "").join(" ");
    }
    case "preload": {
      const parts = files.map((file) => contentOf(file, text(file)));
      return [...(own === "" ? [] : [own]), ...parts.filter((one) => one !== "")].join("\n\n");
    }
  }
}

/** What a rule types for the person; empty when it types nothing. */
export function commandOf(rule: SessionRule, state: SessionState): string {
  return rule.mode === "paste" && rule.payload.command !== undefined ? resolveText(rule.payload.command, state) : "";
}

/** As much of a file as is ever shown, and one more: that is how a cut is noticed. */
export function beginningOf(text: string): string {
  return text.slice(0, MOST_OF_A_FILE + 1);
}

function contentOf(file: string, text: string | undefined): string {
  if (text === undefined) return `${file} was to be loaded but is not there, or is too large.`;
  if (text.length <= MOST_OF_A_FILE) return `${file}:\n${text.trimEnd()}`;
  return `${file} (its beginning; Read it for the rest):\n${text.slice(0, MOST_OF_A_FILE).trimEnd()}`;
}

/** The state once these rules have said their say. */
export function delivered(
  state: SessionState,
  rules: readonly SessionRule[],
  loaded: readonly string[],
  place: Place,
): SessionState {
  const once = rules.filter(({ inject }) => inject === "once").map(({ id }) => [id, true]);
  if (once.length === 0 && loaded.length === 0) return state;
  const done = new Set(loaded);
  const open = PENDING.map((field) => [
    field,
    textsIn(state, field).filter((file) => !done.has(absolute(file, place))),
  ]);
  return changed(state, {
    ...(once.length > 0 ? { injectedRules: { ...objectIn(state, "injectedRules"), ...Object.fromEntries(once) } } : {}),
    ...(loaded.length > 0 ? { preloadedFiles: [...textsIn(state, "preloadedFiles"), ...loaded] } : {}),
    ...Object.fromEntries(open.filter(([field]) => state[String(field)] !== undefined)),
  });
}
