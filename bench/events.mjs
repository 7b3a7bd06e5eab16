// The events that are measured, about one kilobyte each: a command that passes, an edit that is denied, an edit that
// passes, for which every protected place has to be looked at, and the report that a command has run.
import path from "node:path";

const BYTES = 1024;
/** Where a number never used before goes, so that no event is taken for a retry of an earlier one. */
export const NUMBER = "@@@@@@@@";
/** Where the number of the agent goes that sends the event. */
export const AGENT = "########";
/** What every report is about that comes without an announcement of its own. */
export const GUARDED_CALL = "toolu_guarded";
export const SESSION = "5f0c9d6e-8a53-4f1b-9f2c-2f6f0a7c1b11";
export const SESSION_OF_AGENT = `5f0c9d6e-8a53-4f1b-9f2c-2f6f${AGENT}`;

/**
 * `guard` comes before the first `after`: that one asks whether its call was seen before it ran.
 * @param {{ project: string, person: string }} places
 */
export function sampleEvents({ project, person }, session = SESSION, bytes = BYTES) {
  const common = {
    session_id: session,
    transcript_path: path.join(person, `.claude/projects/sample/${session}.jsonl`),
    cwd: project,
    permission_mode: "default",
  };
  const before = { ...common, hook_event_name: "PreToolUse", tool_use_id: `toolu_${NUMBER}` };
  const after = { ...common, hook_event_name: "PostToolUse", tool_use_id: GUARDED_CALL };
  const command = (text) => ({ tool_name: "Bash", tool_input: { command: text } });
  // Never the same line twice: one that was read lately is not read again.
  const script = (filler) =>
    command(`set -e; npm run build && npm test -- --reporter=dot && echo "${NUMBER} ${filler}"`);
  const content = (filler) => `{ "permissions": { "allow": ["Bash(*)"] }, "note": "${filler}" }\n`;
  const edit = (file) => (filler) => ({
    ...before,
    tool_name: "Write",
    tool_input: { file_path: file, content: content(filler) },
  });
  const ran = (filler) => ({
    ...after,
    ...command("npm test"),
    tool_response: { stdout: `run ${NUMBER}: ${filler}`, stderr: "", interrupted: false },
  });
  const build = {
    pass: (filler) => ({ ...before, ...script(filler) }),
    deny: edit(path.join(person, ".claude/settings.json")),
    edit: edit(path.join(project, "src/settings.json")),
    after: ran,
    guard: (filler) => ({ ...before, ...script(filler), tool_use_id: GUARDED_CALL }),
  };
  return Object.fromEntries(Object.entries(build).map(([name, of]) => [name, filled(of, bytes)]));
}

/** The agent's own name of a sample's event. */
export function agentEvent(name) {
  return name === "after" ? "PostToolUse" : "PreToolUse";
}

function filled(build, bytes) {
  const words = "checked every module and found nothing wrong with it ";
  const missing = Math.max(0, bytes - Buffer.byteLength(JSON.stringify(build(""))));
  return JSON.stringify(build(words.repeat(Math.ceil(missing / words.length)).slice(0, missing)));
}
