/**
 * Every error a person can meet, in one table. `docs/errors.md` is generated from it.
 * A retired code stays in RETIRED and is never given a new meaning.
 */
const TABLE = {
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
    text: "{file}: `{path}` should be {expected}.",
    fix: "Nothing was changed. Repair that entry and run the command again.",
  },
  HW_SETTINGS_NOT_A_FILE: {
    text: "{file} is {what}, not a regular file.",
    fix: "Nothing was changed. Put a regular file there, or choose another --scope.",
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
  HW_NOT_BUILT: { text: "{file} is missing: the package was not built.", fix: "Run `npm run build` in the checkout." },
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
    fix: "A fresh one is in use. Nothing else is needed; delete the moved file when you no longer want it.",
  },
  HW_CONFIG_INVALID: { text: "{file}:{line}:{column}: {detail}", fix: "The last good configuration stays in force." },
  HW_FRAME: { text: "A hook client sent something that is not a frame: {detail}.", fix: "Run `hookwright doctor`." },
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
    text: "{file} holds for everybody on this machine, and only root may change it.",
    fix: "Nothing was changed. Run the command again as root (sudo), or choose another --scope.",
  },
  HW_PRIVATE_NODE: {
    text: "Other users cannot start {node}: {part} is closed to them.",
    fix: "Nothing was changed. Install Node where everybody can use it, such as /usr/bin, and run the command with that.",
  },
  HW_UNKNOWN_POLICY: {
    text: "The policy `{id}` is not known.{nearest}",
    fix: "Run `hookwright policies` for the list.",
  },
  HW_NO_ENTRY: { text: "{what}", fix: "Run `hookwright journal` to see what is recorded." },
  HW_FILE_EXISTS: { text: "{file} exists already.", fix: "Nothing was written. Choose another name." },
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

/** Names and paths come from outside and may be of any length; a text that nobody can read says nothing. */
const LONGEST_VALUE = 4_096;

export function fill(template: string, data: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => (name in data ? shortened(data[name]) : whole));
}

function shortened(value: string | number | undefined): string {
  const text = String(value);
  // Cut between the halves of a pair, a character would become half of one.
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

/** What a caught value says, whatever was thrown. */
export function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
