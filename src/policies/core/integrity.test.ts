import { createHash } from "node:crypto";
import { claudeEvent } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./integrity.ts";

const HOME = "/home/dev/.local/share/hookwright";
const SETTINGS = "/home/dev/.claude/settings.json";
const CLIENT = `${HOME}/versions/1.0.0-abc/hook`;
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const handler = (command: string, args: string[] = []) => [{ hooks: [{ type: "command", command, args }] }];
const start = claudeEvent({ hook_event_name: "SessionStart", source: "startup" });

const record = {
  agent: "claude-code",
  scope: "user",
  file: SETTINGS,
  version: "1.0.0-abc",
  files: { hook: sha256("client"), "engine.cjs": sha256("engine") },
};
const whole = {
  [`${HOME}/installs.json`]: JSON.stringify([record]),
  [SETTINGS]: JSON.stringify({ hooks: { PreToolUse: handler(CLIENT) } }),
  [CLIENT]: "client",
  [`${HOME}/versions/1.0.0-abc/engine.cjs`]: "engine",
};
const CACHE = `${HOME}/versions/1.0.0-abc/engine-v20-x64.cache`;
/** An installation with a code cache of the bundle. */
const cached = {
  ...whole,
  [`${HOME}/installs.json`]: JSON.stringify([
    { ...record, files: { ...record.files, "engine-v20-x64.cache": sha256("code") } },
  ]),
};
const GEMINI_START = { ...start, agent: "gemini-cli" };
const EXTENSION = "/home/dev/.gemini/extensions/hookwright/hooks/hooks.json";
const gemini = (line: string) => ({
  ...whole,
  [`${HOME}/installs.json`]: JSON.stringify([
    { ...record, agent: "gemini-cli", file: EXTENSION, guarded: ["BeforeTool"] },
  ]),
  [EXTENSION]: JSON.stringify({ hooks: { BeforeTool: [{ hooks: [{ type: "command", command: line }] }] } }),
});
const PLUGIN_START = { ...start, agent: "opencode" };
const PLUGIN = "/home/dev/.config/opencode/plugins/hookwright.js";
const plugin = (text: string) => ({
  ...whole,
  [`${HOME}/installs.json`]: JSON.stringify([
    { ...record, agent: "opencode", file: PLUGIN, writtenSha256: sha256("as written") },
  ]),
  [PLUGIN]: text,
});
const notice = (message: string, text: string) => ({ event: start, says: "notice", message, text }) as const;

testPolicy(policy, {
  hit: [
    {
      name: "an edited bundle",
      files: { ...whole, [`${HOME}/versions/1.0.0-abc/engine.cjs`]: "exit 0" },
      ...notice("changed", "engine.cjs"),
    },
    { name: "an edited code cache", files: { ...cached, [CACHE]: "other" }, ...notice("changed", CACHE) },
    { name: "a client that is gone", files: { ...whole, [CLIENT]: { dir: 0o700 } }, ...notice("changed", CLIENT) },
    {
      name: "the guarded hook taken out",
      files: { ...whole, [SETTINGS]: JSON.stringify({ hooks: { Stop: handler(CLIENT) } }) },
      ...notice("unregistered", SETTINGS),
    },
    {
      name: "the guarded hook of another agent taken out",
      event: GEMINI_START,
      files: { ...gemini("/bin/true") },
      says: "notice",
      message: "unregistered",
      text: "Run `hookwright init --agent gemini-cli`",
    },
    {
      name: "a plugin with another text",
      event: PLUGIN_START,
      files: plugin("as written, and more"),
      says: "notice",
      message: "changed",
      text: PLUGIN,
    },
    {
      name: "another program in its place",
      files: { ...whole, [SETTINGS]: JSON.stringify({ hooks: { PreToolUse: handler("/bin/true") } }) },
      ...notice("unregistered", SETTINGS),
    },
    {
      name: "this project's local registration taken out",
      files: {
        ...whole,
        [`${HOME}/installs.json`]: JSON.stringify([
          { ...record, scope: "local", file: "/home/dev/app/.claude/settings.local.json" },
        ]),
      },
      ...notice("unregistered", "/home/dev/app/.claude/settings.local.json"),
    },
    { name: "settings that cannot be read", files: { ...whole, [SETTINGS]: "{" }, ...notice("unregistered", SETTINGS) },
    {
      name: "all hooks switched off",
      files: {
        ...whole,
        [SETTINGS]: JSON.stringify({ disableAllHooks: true, hooks: { PreToolUse: handler(CLIENT) } }),
      },
      ...notice("disabled", SETTINGS),
    },
  ],
  pass: [
    { name: "a plugin as it was written", event: PLUGIN_START, files: plugin("as written") },
    ...[`${CLIENT} --agent gemini-cli`, `'${CLIENT}' --event BeforeTool`, `/usr/bin/node ${CLIENT}.cjs --via user`].map(
      (line) => ({
        name: `another agent's guarded hook in a line for a shell: ${line}`,
        event: GEMINI_START,
        files: gemini(line),
      }),
    ),
    { name: "everything as installed", event: start, files: whole },
    {
      name: "the Node client",
      event: start,
      files: {
        ...whole,
        [SETTINGS]: JSON.stringify({
          hooks: { PreToolUse: handler("/usr/bin/node", [`${HOME}/versions/1.0.0-abc/hook.cjs`]) },
        }),
      },
    },
    { name: "nothing installed", event: start },
    { name: "the code cache as installed", event: start, files: { ...cached, [CACHE]: "code" } },
    { name: "a code cache that is gone", event: start, files: cached },
    {
      name: "a local registration of another project",
      event: start,
      files: {
        [`${HOME}/installs.json`]: JSON.stringify([
          { ...record, scope: "local", file: "/gone/.claude/settings.local.json" },
        ]),
      },
    },
    {
      name: "a project's registration",
      event: start,
      files: { [`${HOME}/installs.json`]: JSON.stringify([{ ...record, scope: "project" }]) },
    },
    {
      name: "another agent's",
      event: start,
      files: { [`${HOME}/installs.json`]: JSON.stringify([{ ...record, agent: "codex" }]) },
    },
    { name: "a damaged record", event: start, files: { [`${HOME}/installs.json`]: "[{}, 5, null]" } },
    ...["file", "version"].map((field) => ({
      name: `a record whose ${field} is none`,
      event: start,
      files: { [`${HOME}/installs.json`]: JSON.stringify([{ ...record, [field]: 5 }]) },
    })),
  ],
});
