import { nearestName } from "../../../core/text/nearest-name.ts";
import type { CliCommand, CommandContext } from "../../command.ts";
import type { Input } from "../../terminal/standard-input.ts";
import { checkSession, deactivate, debrief, idle } from "./close-session.ts";
import { fleet } from "./fleet.ts";
import { dehydrate, restart } from "./hand-over.ts";
import { log, tag } from "./log-and-tags.ts";
import { findSession, phase, target, update } from "./phase-and-state.ts";
import { rules } from "./rules.ts";
import { openSessionAccess, type SessionAccess } from "./session-access.ts";
import { activate, continueSession, createFolder, sessionUsageError } from "./start-session.ts";

const ACTIONS: Readonly<Record<string, (access: SessionAccess, args: readonly string[]) => Promise<number>>> = {
  init: createFolder,
  activate,
  continue: continueSession,
  phase,
  update,
  target,
  find: findSession,
  check: checkSession,
  debrief,
  idle,
  deactivate,
  dehydrate,
  restart,
  fleet,
  log,
  tag,
  rules,
};
/** Actions that change nothing. */
const LOOKS = new Set(["find", "rules"]);

export const sessionCommand: CliCommand = {
  name: "session",
  summary: "Sessions of work: begin one, go through its phases, log, and close it. Also as the program `engine`.",
  usage: "session ACTION [ARGUMENTS]",
  words: Object.keys(ACTIONS),
  details: [
    "A session is a folder below sessions/ with a log, documents and a state file (.state.json) that other programs read.",
    "`engine session …`, `engine log …` and `engine tag …` are the same commands. DIR is the session's folder; where it",
    "can be left out, it is the session of the agent that runs the command.",
    "",
    "Begin",
    "  init DIR                     make the folder",
    "  activate DIR SKILL           begin, or continue with another skill; parameters as JSON on standard input",
    "  continue DIR                 continue a session that is idle, completed or abandoned",
    "  find                         the folder of your session; exit code 1 when there is none",
    "Work",
    '  phase [DIR] "2: Build"       start the next phase; proof of the phase before as `key: value` lines on stdin',
    "  log FILE                     add an entry (a `## ` heading first) from standard input; the time is put into it",
    "  tag add|remove FILE '#tag'   add or remove on the **Tags** line, or on line N with --inline N",
    "  tag swap FILE '#old' '#new'  replace a tag; fails when #old is missing",
    "  tag find '#needs-*' [DIR]    list where a tag is used",
    "  update DIR FIELD VALUE       change one field of the state",
    "  target DIR FILE              what the work is about",
    "  rules [--explain]            list the rules of guards.json and injections.json, and which apply now",
    "Close",
    "  debrief [DIR]                show what the debrief needs, or write it from standard input",
    "  check [DIR]                  list open tags, checklists and requests",
    "  idle [DIR]                   pause; give what was done and what is left on standard input",
    "  deactivate [DIR]             close; give the same on standard input",
    "Hand over",
    "  dehydrate [DIR]              save what the next run needs, as JSON on standard input: summary, lastAction,",
    "                               nextSteps, handoverInstructions, requiredFiles (at most 8);",
    "                               then restart the agent if contextPolicy is `restart`",
    "  restart [DIR]                restart the agent with what was handed over; with TEST_MODE=1 only print how",
    "Watch",
    "  fleet install|uninstall      show in the panes of this tmux server what their agents do",
    "",
    "Example:",
    "  engine session activate sessions/2026_01_31_LOGIN implement",
    "  engine log sessions/2026_01_31_LOGIN/IMPLEMENT_LOG.md <<'EOF'",
    "  ## Login form",
    "  Wrote the form and its test; the test fails on an empty password, as it should.",
    "  EOF",
  ].join("\n"),
  allowPositionals: true,
  options: {
    "fleet-pane": { type: "string", value: "PANE", description: "The pane of a fleet this session runs in." },
    "target-file": { type: "string", value: "FILE", description: "What the work is about." },
    "user-approved": { type: "string", value: "WORDS", description: "What the user said when they agreed." },
    "fast-track": { type: "boolean", description: "A small task: the skill may be repeated without asking the user." },
    overwrite: { type: "boolean", description: "log: replace the file instead of adding to it." },
    inline: { type: "string", value: "LINE", description: "tag: on this line instead of the line of tags." },
    context: { type: "string", value: "LINES", description: "tag find: show this many lines around each place." },
    "tags-only": { type: "boolean", description: "tag find: only on lines of tags." },
    session: { type: "string", value: "DIR", description: "continue: the session's folder." },
    skill: { type: "string", value: "SKILL", description: "continue: only printed, for the person who reads it." },
    phase: { type: "string", value: "PHASE", description: "continue: only printed, for the person who reads it." },
    keywords: { type: "string", value: "A,B", description: "deactivate: words to find the session by." },
    explain: { type: "boolean", description: "rules: which of them apply now, and why." },
    json: { type: "boolean", description: "find, rules: print JSON." },
  },
  changes: ({ args }) => !LOOKS.has(args[0] ?? ""),
  run: (context) => runSession(context, process.stdin),
};

export function runSession(context: CommandContext, input: Input): Promise<number> {
  const [name = "", ...args] = context.args;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (name === "") throw sessionUsageError("Give an action, such as `activate DIR SKILL` or `find`.");
  if (!action) throw sessionUsageError(`There is no action \`${name}\`.${nearestName(name, Object.keys(ACTIONS))}`);
  return action(openSessionAccess(context, input), args);
}
