import { edits, shell, toolBefore, writes } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./protected-paths.ts";

const deny = (message: string) => ({ says: "deny", message }) as const;

testPolicy(policy, {
  hit: [
    { name: "personal settings", event: writes("/home/dev/.claude/settings.json"), ...deny("own") },
    { name: "project settings", event: edits("/home/dev/app/.claude/settings.json"), ...deny("own") },
    { name: "local settings", event: edits("/home/dev/app/.claude/settings.local.json"), ...deny("own") },
    { name: "managed settings", event: writes("/etc/claude-code/managed-settings.json"), ...deny("own") },
    {
      name: "settings in a directory named by the environment",
      event: writes("/srv/claude/settings.json"),
      env: { CLAUDE_CONFIG_DIR: "/srv/claude" },
      ...deny("own"),
    },
    { name: "project configuration", event: edits("/home/dev/app/hookwright.yml"), ...deny("own") },
    { name: "project configuration in a folder", event: writes("/home/dev/app/web/hookwright.yml"), ...deny("own") },
    { name: "personal configuration", event: writes("/home/dev/.config/hookwright/config.yml"), ...deny("own") },
    { name: "our database", event: writes("/home/dev/.local/share/hookwright/state.db"), ...deny("own") },
    { name: "our client", event: writes("/home/dev/.local/share/hookwright/versions/1-a/hook"), ...deny("own") },
    { name: "our socket folder", event: writes("/tmp/hookwright-1000/x.sock"), ...deny("own") },
    { name: "a path with dots", event: writes("/home/dev/app/src/../../.claude/./settings.json"), ...deny("own") },
    { name: "a relative path", event: writes("../.claude/settings.json"), ...deny("own") },
    {
      name: "a link to the settings",
      event: writes("/home/dev/app/notes.json"),
      files: { "/home/dev/app/notes.json": { link: "/home/dev/.claude/settings.json" } },
      ...deny("own"),
    },
    {
      name: "a folder that is a link",
      event: writes("/home/dev/app/conf/settings.json"),
      files: { "/home/dev/app/conf": { link: "../.claude" } },
      ...deny("own"),
    },
    {
      name: "the file that the settings are a link to",
      event: writes("/home/dev/dotfiles/claude.json"),
      files: { "/home/dev/.claude/settings.json": { link: "../dotfiles/claude.json" } },
      ...deny("own"),
    },
    {
      name: "a notebook",
      event: toolBefore("NotebookEdit", { notebook_path: "/home/dev/.claude/settings.json", new_source: "" }),
      ...deny("own"),
    },
    { name: "git configuration", event: edits("/home/dev/app/.git/config"), ...deny("git") },
    { name: "a git hook of another project", event: writes("/srv/other/.git/hooks/pre-commit"), ...deny("git") },
    { name: "a worktree's pointer file", event: writes("/home/dev/app/.git"), ...deny("git") },
    {
      name: "git's storage through a link",
      event: writes("/home/dev/app/g/config"),
      files: { "/home/dev/app/g": { link: ".git" } },
      ...deny("git"),
    },
    { name: "authorized keys", event: writes("/home/dev/.ssh/authorized_keys"), ...deny("key") },
    { name: "cloud credentials", event: edits("/home/dev/.aws/credentials"), ...deny("key") },
    { name: "a private key anywhere", event: writes("/srv/deploy/id_ed25519"), ...deny("key") },
    {
      name: "a listed folder",
      event: writes("/home/dev/app/infra/prod/main.tf"),
      options: { also: ["infra/prod"] },
      ...deny("listed"),
      text: "/home/dev/app/infra/prod/main.tf",
    },
  ],
  pass: [
    { name: "a source file", event: writes("/home/dev/app/src/index.ts") },
    { name: "a settings file of something else", event: writes("/home/dev/app/src/settings.json") },
    { name: "other files of the agent", event: writes("/home/dev/app/.claude/agents/reviewer.md") },
    { name: "gitignore", event: edits("/home/dev/app/.gitignore") },
    { name: "a github workflow", event: edits("/home/dev/app/.github/workflows/ci.yml") },
    { name: "a name that only begins alike", event: writes("/home/dev/app/hookwright.yml.md") },
    { name: "a folder that only begins alike", event: writes("/home/dev/.sshd/notes.md") },
    { name: "a public key", event: writes("/srv/deploy/id_ed25519.pub") },
    {
      name: "beside a listed folder",
      event: writes("/home/dev/app/infra/production/a.tf"),
      options: { also: ["infra/prod"] },
    },
    { name: "reading the settings", event: toolBefore("Read", { file_path: "/home/dev/.claude/settings.json" }) },
    { name: "a command", event: shell("git status") },
  ],
});
