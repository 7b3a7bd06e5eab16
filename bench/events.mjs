// The events that are measured, about one kilobyte each: a command that passes, an edit that is denied, and an edit
// that passes, for which every protected place has to be looked at.
import path from "node:path";

const BYTES = 1024;
/** Where a number never used before goes. */
export const NUMBER = "@@@@@@@@";

/** @param {{ project: string, person: string }} places */
export function sampleEvents({ project, person }) {
  const common = {
    session_id: "5f0c9d6e-8a53-4f1b-9f2c-2f6f0a7c1b11",
    transcript_path: path.join(person, ".claude/projects/sample/5f0c9d6e-8a53-4f1b-9f2c-2f6f0a7c1b11.jsonl"),
    cwd: project,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_use_id: `toolu_${NUMBER}`,
  };
  const script = (filler) => `set -e; npm run build && npm test -- --reporter=dot && echo "${filler}"`;
  const content = (filler) => `{ "permissions": { "allow": ["Bash(*)"] }, "note": "${filler}" }\n`;
  const edit = (file) => (filler) => ({
    ...common,
    tool_name: "Write",
    tool_input: { file_path: file, content: content(filler) },
  });
  return {
    pass: filled((filler) => ({ ...common, tool_name: "Bash", tool_input: { command: script(filler) } })),
    deny: filled(edit(path.join(person, ".claude/settings.json"))),
    edit: filled(edit(path.join(project, "src/settings.json"))),
  };
}

function filled(build) {
  const words = "checked every module and found nothing wrong with it ";
  const missing = Math.max(0, BYTES - Buffer.byteLength(JSON.stringify(build(""))));
  return JSON.stringify(build(words.repeat(Math.ceil(missing / words.length)).slice(0, missing)));
}
