import path from "node:path";
import { objectIn, type SessionState, textsIn, withFields } from "../state.ts";
import type { RuleInForce } from "./match-rules.ts";
import { resolveFiles, resolveText } from "./payload.ts";
import type { SessionRule } from "./rule.ts";

/** The limit for one file in the context, so that a large file leaves room for others; the agent can read the rest. */
const MOST_OF_A_FILE = 6_000;
const PENDING = ["pendingDirectives", "pendingTemplates", "pendingCommands"];

export interface RulePaths {
  readonly cwd: string;
  readonly project: string;
  readonly userHome: string;
}

/** The files that a rule puts into the context and that are not there yet. */
export function filesToLoad(rule: RuleInForce, state: SessionState, place: RulePaths): string[] {
  if (rule.mode !== "preload") return [];
  const loaded = new Set(textsIn(state, "preloadedFiles"));
  const files = resolveFiles(rule.payload.files, state).map((file) => absolute(file, place));
  return [...new Set(files)].filter((file) => !loaded.has(file) && mayLoad(file, rule, place));
}

/** A state file or a project's rule may load only files of the project or `~/.claude`; a person's rule may load any. */
function mayLoad(file: string, rule: RuleInForce, place: RulePaths): boolean {
  const { files } = rule.payload;
  const named = files === undefined ? [] : typeof files === "string" ? [files] : files;
  if (rule.isPersons && named.some((one) => absolute(one, place) === file)) return true;
  const folders = [place.cwd, place.project, path.join(place.userHome, ".claude")];
  return folders.some((folder) => file.startsWith(`${folder}/`));
}

function absolute(file: string, { cwd, userHome }: RulePaths): string {
  return path.resolve(cwd, file.replace(/^~(?=\/|$)/, userHome));
}

/** The text that a rule adds; empty when all its files are already loaded or missing. */
export function ruleText(
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
      const command = ruleCommand(rule, state);
      return [own, command === "" ? "" : `Run \`${command}\`.`].filter((one) => one !== "").join(" ");
    }
    case "preload": {
      const parts = files.map((file) => contentOf(file, text(file)));
      return [...(own === "" ? [] : [own]), ...parts.filter((one) => one !== "")].join("\n\n");
    }
  }
}

/** The command that a rule types into the agent's terminal; empty when it types none. */
export function ruleCommand(rule: SessionRule, state: SessionState): string {
  return rule.mode === "paste" && rule.payload.command !== undefined ? resolveText(rule.payload.command, state) : "";
}

/** The part of a file that is shown, and one character more, which tells that the file was cut. */
export function shownPart(text: string): string {
  return text.slice(0, MOST_OF_A_FILE + 1);
}

function contentOf(file: string, text: string | undefined): string {
  if (text === undefined) return `${file} was to be loaded but is not there, or is too large.`;
  if (text.length <= MOST_OF_A_FILE) return `${file}:\n${text.trimEnd()}`;
  return `${file} (its beginning; Read it for the rest):\n${text.slice(0, MOST_OF_A_FILE).trimEnd()}`;
}

/** The state after these rules were delivered. */
export function withDelivered(
  state: SessionState,
  rules: readonly SessionRule[],
  loaded: readonly string[],
  place: RulePaths,
): SessionState {
  const once = rules.filter(({ inject }) => inject === "once").map(({ id }) => [id, true]);
  if (once.length === 0 && loaded.length === 0) return state;
  const done = new Set(loaded);
  const open = PENDING.map((field) => [
    field,
    textsIn(state, field).filter((file) => !done.has(absolute(file, place))),
  ]);
  return withFields(state, {
    ...(once.length > 0 ? { injectedRules: { ...objectIn(state, "injectedRules"), ...Object.fromEntries(once) } } : {}),
    ...(loaded.length > 0 ? { preloadedFiles: [...textsIn(state, "preloadedFiles"), ...loaded] } : {}),
    ...Object.fromEntries(open.filter(([field]) => state[String(field)] !== undefined)),
  });
}
