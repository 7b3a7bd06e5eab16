import { nearestName } from "../../core/nearest-name.ts";
import type { Command, CommandContext } from "../command.ts";
import { activate, init, resume, usage } from "../session/begin.ts";
import { type Desk, openDesk } from "../session/desk.ts";
import { log, tag } from "../session/documents.ts";
import { check, deactivate, debrief, idle } from "../session/end.ts";
import { fleet } from "../session/fleet.ts";
import { dehydrate, restart } from "../session/hand-over.ts";
import { rules } from "../session/rules.ts";
import { find, phase, target, update } from "../session/steps.ts";
import type { Input } from "../standard-input.ts";

const ACTIONS: Readonly<Record<string, (desk: Desk, args: readonly string[]) => Promise<number>>> = {
  init,
  activate,
  continue: resume,
  phase,
  update,
  target,
  find,
  check,
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
/** These only look. */
const LOOKS = new Set(["find", "rules"]);

export const session: Command = {
  name: "session",
  summary: "Sessions of work: begin one, go through its phases, log, and close it. Also as the program `engine`.",
  usage: "session ACTION [ARGUMENTS]",
  details: [
    "A session is a folder below sessions/ with a log, documents and a state file (.state.json) that other programs read.",
    "`engine session …`, `engine log …` and `engine tag …` are the same commands. DIR is the session's folder; where it",
    "can be left out, the session of the asking agent is meant.",
    "",
    "Begin",
    "  init DIR                     make the folder",
    "  activate DIR SKILL           begin, or go on with another skill; parameters may come as JSON on standard input",
    "  continue DIR                 take up a session that is idle, completed or left behind",
    "  find                         the folder of your session; exit code 1 when there is none",
    "Work",
    '  phase [DIR] "2: Build"       the next phase; proof of the one you leave as `key: value` lines on standard input',
    "  log FILE                     add an entry (a `## ` heading first) from standard input; the time is put into it",
    "  tag add|remove FILE '#tag'   on the document's **Tags** line, or on line N with --inline N",
    "  tag swap FILE '#old' '#new'  fails when #old is not there",
    "  tag find '#needs-*' [DIR]    where a tag stands",
    "  update DIR FIELD VALUE       change one field of the state",
    "  target DIR FILE              what the work is about",
    "  rules [--explain]            the rules of guards.json and injections.json, and which hold now",
    "Close",
    "  debrief [DIR]                what the debrief needs, or write it from standard input",
    "  check [DIR]                  open tags, checklists and requests",
    "  idle [DIR]                   pause; what was done and what is left on standard input",
    "  deactivate [DIR]             close; the same on standard input",
    "Hand over",
    "  dehydrate [DIR]              what the next run needs, as JSON on standard input: summary, lastAction, nextSteps,",
    "                               handoverInstructions, requiredFiles (at most 8); with contextPolicy: restart the agent",
    "                               is then started anew",
    "  restart [DIR]                end the agent and start it anew with what was handed over; TEST_MODE=1 only says how",
    "Watch",
    "  fleet install|uninstall      panes of this tmux server show what their agents do",
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
    "fast-track": { type: "boolean", description: "A small task: a skill may be done again without asking." },
    overwrite: { type: "boolean", description: "log: replace the file instead of adding to it." },
    inline: { type: "string", value: "LINE", description: "tag: on this line instead of the line of tags." },
    context: { type: "string", value: "LINES", description: "tag find: show so many lines around." },
    "tags-only": { type: "boolean", description: "tag find: only on lines of tags." },
    session: { type: "string", value: "DIR", description: "continue: the session's folder." },
    skill: { type: "string", value: "SKILL", description: "continue: only said, for whoever reads along." },
    phase: { type: "string", value: "PHASE", description: "continue: only said, for whoever reads along." },
    keywords: { type: "string", value: "A,B", description: "deactivate: words to find the session by." },
    explain: { type: "boolean", description: "rules: which of them hold now, and why." },
    json: { type: "boolean", description: "find, rules: print JSON." },
  },
  changes: ({ args }) => !LOOKS.has(args[0] ?? ""),
  run: (context) => runSession(context, process.stdin),
};

export function runSession(context: CommandContext, input: Input): Promise<number> {
  const [name = "", ...args] = context.args;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (name === "") throw usage("Say what to do, such as `activate DIR SKILL` or `find`.");
  if (!action) throw usage(`There is no \`${name}\` here.${nearestName(name, Object.keys(ACTIONS))}`);
  return action(openDesk(context, input), args);
}
