import { FLEET_ERRORS } from "./error-texts/fleet-errors.ts";
import { MODE_ERRORS } from "./error-texts/mode-errors.ts";

/**
 * Every error a person can meet, in one table. `docs/errors.md` is generated from it.
 * A retired code stays in RETIRED and is never given a new meaning.
 */
const TABLE = {
  ...MODE_ERRORS,
  ...FLEET_ERRORS,
  HW_USAGE: { text: "{detail}", fix: "Run `hookwright {command} --help` to see what the command takes." },
  HW_UNKNOWN_COMMAND: { text: "There is no command `{name}`.{nearest}", fix: "Run `hookwright --help` for the list." },
  HW_UNKNOWN_AGENT: { text: "The agent `{agent}` is not known.", fix: "Known agents: {known}." },
  HW_UNKNOWN_PROFILE: {
    text: "The profile `{profile}` is not known.{nearest}",
    fix: "Known profiles: {known}.",
  },
  HW_SETTINGS_MALFORMED: {
    text: "{file}:{line}:{column}: {detail}",
    fix: "Nothing was changed. Repair the file (or move it away) and run the command again.",
  },
  HW_SETTINGS_SHAPE: {
    text: "{file}: {part} should be {expected}.",
    fix: "Nothing was changed. Repair that entry and run the command again.",
  },
  HW_SETTINGS_NOT_A_FILE: {
    text: "{file} is {what}, not a regular file.",
    fix: "Nothing was changed. Put a regular file there, or choose another --scope.",
  },
  HW_NOT_OURS: {
    text: "{file} exists, and Hookwright has not written it.",
    fix: "Nothing was changed. Move it away, or give what it belongs to another name, and run the command again.",
  },
  HW_SETTINGS_CHANGED: {
    text: "{file} was changed by another program while it was being edited.",
    fix: "Nothing was changed. Run the command again.",
  },
  HW_WRITE_FAILED: {
    text: "Could not write {file}: {detail}.",
    fix: "Check permissions and free space, then try again.",
  },
  HW_READ_FAILED: { text: "Could not read {file}: {detail}.", fix: "Check that the file exists and is readable." },
  HW_NO_FOLDER: {
    text: "The current folder no longer exists.",
    fix: "Change to a folder that exists and run the command again.",
  },
  HW_STATE_DAMAGED: {
    text: "{file} is damaged: {detail}.",
    fix: "`hookwright doctor --fix`, or the next event, creates a new file and keeps the damaged one beside it.",
  },
  HW_NOT_BUILT: {
    text: "{file} is missing: the package was not built.",
    fix: "Run `npm ci` in the checkout: it builds the package.",
  },
  HW_RUNTIME_DIR: {
    text: "{dir} cannot be used as a private runtime directory: {detail}.",
    fix: "It must be a real directory that you own with mode 0700. Remove it, or set XDG_RUNTIME_DIR to one of yours.",
  },
  HW_SOCKET_PATH: {
    text: "The socket path {path} has {bytes} bytes; the system allows {limit}.",
    fix: "Set XDG_RUNTIME_DIR to a shorter directory.",
  },
  HW_NO_SQLITE: {
    text: "No SQLite driver could be loaded ({detail}).",
    fix: "Use Node 22.13 or newer, or reinstall so that the optional package libsql is present.",
  },
  HW_STATE_CORRUPT: {
    text: "The state database was damaged and has been moved to {moved}.",
    fix: "A new, empty database is in use. Nothing else is needed; delete the moved file when you no longer want it.",
  },
  HW_CONFIG_INVALID: { text: "{file}:{line}:{column}: {detail}", fix: "The last good configuration stays in force." },
  HW_POLICY_EDIT: {
    text: "{file} cannot be changed from here: {detail}.",
    fix: "Nothing was changed. Edit the file by hand; `hookwright policies` shows what then holds.",
  },
  HW_DASHBOARD_PORT: {
    text: "The dashboard cannot listen on port {port}: {detail}.",
    fix: "Leave out `--port`, which takes any free port, or give another one.",
  },
  HW_CONFIG_EDIT: {
    text: "{file}:{line}:{column}: {detail}, so the profiles cannot be written into it.",
    fix: "Nothing was changed. Correct the file, or write `profiles: [{profiles}]` into it yourself, and run the command again.",
  },
  HW_FRAME: { text: "A hook client sent data that is not a valid frame: {detail}.", fix: "Run `hookwright doctor`." },
  HW_STDIN_UNREADABLE: {
    text: "The event on standard input could not be read: {detail}.",
    fix: "An agent sends one JSON object. Run `hookwright doctor` if this came from an agent.",
  },
  HW_STORE_READ_ONLY: {
    text: "The store `{store}` was written outside `settled`.",
    fix: "Move the write into the policy's `settled` handler.",
  },
  HW_PATH_ESCAPES: { text: "`{name}` cannot be used as a file name.", fix: "Use letters, digits, `_`, `.` and `-`." },
  HW_NOT_ROOT: {
    text: "{file} applies to every user of this machine, and only root may change it.",
    fix: "Nothing was changed. Run the command again as root (sudo), or choose another --scope.",
  },
  HW_PRIVATE_NODE: {
    text: "Other users cannot start {node}: they have no access to {part}.",
    fix: "Nothing was changed. Install Node where everybody can use it, such as /usr/bin, and run the command with that.",
  },
  HW_UNKNOWN_POLICY: {
    text: "The policy `{id}` is not known.{nearest}",
    fix: "Run `hookwright policies` for the list.",
  },
  HW_NO_ENTRY: { text: "{what}", fix: "Run `hookwright journal` to see what is recorded." },
  HW_NO_SEARCH: {
    text: "The SQLite of this Node.js was built without FTS5, which searching needs.",
    fix: "Use another build of Node.js. The other filters of `hookwright journal` work without it.",
  },
  HW_NO_SNAPSHOT: { text: "{what}", fix: "Run `hookwright undo --list` to see the snapshots." },
  HW_UNDO_RUNNING: {
    text: "Another `hookwright undo` is running.",
    fix: "Nothing was changed. Try again when it has ended.",
  },
  HW_FIXTURE_UNREADABLE: {
    text: "{file} cannot be replayed: {detail}.",
    fix: "Save the fixtures again with `hookwright replay --save-fixtures DIR`.",
  },
  HW_NOT_SENT: {
    text: "{to}: nothing was delivered, because {detail}.",
    fix: "Check `notifications` in your configuration. It is tried again up to four times.",
  },
  HW_FILE_EXISTS: { text: "{file} exists already.", fix: "Nothing was written. Choose another name." },
  HW_FILE_EDIT: {
    text: "{file} cannot be edited: {detail}.",
    fix: "Nothing was changed. It has to be a plain text file (UTF-8), and no link. Run the command again after that.",
  },
  HW_SKILL_REFUSED: {
    text: "The skill `{name}` was not written: {detail}.",
    fix: "A skill needs a name, a description, a problem, a solution of some words, and triggers that tell it from others.",
  },
  HW_SKILL_UNKNOWN: {
    text: "There is no skill `{name}`.{nearest}",
    fix: "`hookwright skills list` shows all of them.",
  },
  HW_PLAN_NONE: {
    text: "No plan is active in {root}.",
    fix: "Start one with `hookwright plan start FILE`.",
  },
  HW_PLAN_ACTIVE: {
    text: "A plan is active already: {plan}, since {started}.",
    fix: "Nothing was changed. End it with `hookwright plan finish`, or give it up with `hookwright plan abort`.",
  },
  HW_PLAN_STATE: {
    text: "{file} cannot be understood: {detail}.",
    fix: "Nothing was changed. `hookwright plan abort` moves the file away.",
  },
  HW_PLAN_OUTSIDE: {
    text: "{file} is not inside {root}.",
    fix: "A plan has to be inside its project. Move the file there, or run the command in the project it belongs to.",
  },
  HW_PLAN_NO_TASKS: {
    text: "{file} has no table of tasks with a status for each of them.",
    fix: "It needs a section `## Implementation Tasks` with a table that has the columns `#`, `Task` and `Status`.",
  },
  HW_PLAN_TASK: { text: "{detail}", fix: "Nothing was changed. `hookwright plan status` lists the tasks." },
  HW_PLAN_INCOMPLETE: {
    text: "{tasks} still incomplete in '{title}'.",
    fix: "Nothing was changed. Complete them, or give the plan up with `hookwright plan abort`.",
  },
  HW_PLAN_UNVERIFIED: {
    text: "{text}",
    fix: "Nothing was changed. Run the command again after that; only a person, in a terminal, can skip the verification (`--unverified`).",
  },
  HW_PLAN_WORKTREE: { text: "{detail}", fix: "Nothing was changed. `hookwright plan start --help` shows the forms." },
  HW_SESSION_FOLDER: {
    text: "`{name}` is not the folder of a session.",
    fix: "Name one directly below {folder}, such as sessions/2026_01_31_TOPIC.",
  },
  HW_SESSION_UNKNOWN: {
    text: "There is no session in {dir}.",
    fix: "`engine session activate {dir} SKILL` starts one there.",
  },
  HW_SESSION_OWNED: {
    text: "The session in {dir} belongs to process {pid}, which is alive.",
    fix: "Nothing was changed. End the session in that process first, or choose another session.",
  },
  HW_SESSION_INPUT: { text: "{detail}", fix: "Nothing was changed. {hint}." },
  HW_SESSION_APPROVAL: {
    text: "{detail}",
    fix: 'Nothing was changed. If the user agreed to this, say so: --user-approved "what they said".',
  },
  HW_SESSION_OPEN: { text: "The session cannot be closed yet:\n{list}", fix: "Do these first, then close it again." },
  HW_STATE_BUSY: {
    text: "The state database stayed locked.",
    fix: "Nothing was changed. Try again in a moment.",
  },
  HW_FLEET: {
    text: "tmux ({server}) refused: {command}.",
    fix: "Run this inside the tmux server that it should use, or start one with `tmux -L fleet`.",
  },
  HW_RUN_FAILED: {
    text: "`{program}` could not be started: {detail}.",
    fix: "Check that it is installed and on your PATH.",
  },
  HW_TEAM_UNKNOWN: {
    text: "There is no readable team `{team}`.",
    fix: "Run `hookwright teams status` to see the teams.",
  },
  HW_TEAM_LEAD_ONLY: {
    text: "Only {lead} may do this for `{team}`, and you are {who}.",
    fix: 'Run it in a project whose .atm.toml says `identity = "{lead}"`, or set ATM_IDENTITY.',
  },
  HW_TEAM_LEAD_ALIVE: {
    text: "`{team}` is led by session {session}, which is still running.",
    fix: "Nothing was changed. End that session first, or pass --force to take over from it.",
  },
  HW_TEAM_LOCKED: {
    text: "{file} stayed locked for {seconds} seconds.",
    fix: "Nothing was changed. Another program is writing it; run the command again.",
  },
  HW_CAPTURE_FAILED: {
    text: "The tmux pane {pane} could not be read, so its content would be lost.",
    fix: "Nothing was ended. Look at the pane yourself, or take over with --force and without --kill.",
  },
  HW_NO_TERMINAL: {
    text: "This needs an answer from a person, and there is no terminal.",
    fix: "Run it in a terminal, or pass --yes.",
  },
} as const;

export type ErrorCode = keyof typeof TABLE;

/** Codes that once existed; a test keeps them out of TABLE. */
export const RETIRED_CODES: readonly string[] = [];

export const errorCodes = Object.keys(TABLE) as ErrorCode[];

export function errorEntry(code: ErrorCode): { readonly text: string; readonly fix: string } {
  return TABLE[code];
}

/** Names and paths come from outside and may have any length; longer ones would make a message unreadable. */
const LONGEST_VALUE = 4_096;

export function fill(template: string, data: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => (name in data ? shortened(data[name]) : whole));
}

function shortened(value: string | number | undefined): string {
  const text = String(value);
  // The cut may fall between the two halves of a surrogate pair.
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE).toWellFormed()}…`;
}

export class HookwrightError extends Error {
  readonly code: ErrorCode;
  readonly fix: string;

  constructor(code: ErrorCode, data: Readonly<Record<string, string | number>> = {}, cause?: unknown) {
    super(fill(TABLE[code].text, data), cause === undefined ? undefined : { cause });
    this.name = "HookwrightError";
    this.code = code;
    this.fix = fill(TABLE[code].fix, data);
  }
}

/** The message of a caught value of any type. */
export function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
