import type { JsonObject } from "../../core/event.ts";
import { project, stateOf } from "../../domain/plan/plan.samples.ts";
import { claudeEvent, edits, PROJECT, shell, toolBefore } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./scope.ts";

const SCOPES = {
  team: "implement-login",
  shared: ["README.md", "docs/"],
  "api-dev": ["src/api", "src/**/*.proto", "./tests/api/"],
  "web-dev": ["src/web"],
};
const scoped = (scopes: unknown = SCOPES, state: JsonObject = stateOf()) =>
  project({
    state,
    files: { [`${PROJECT}/.claude/hooks/scopes/implement-login.json`]: JSON.stringify(scopes) },
  });

const agent = { agent_id: "a1", agent_type: "api-dev" };
const edit = (file: string, more: JsonObject = agent) =>
  toolBefore("Edit", { file_path: file, old_string: "a", new_string: "b" }, more);
const bash = (command: string, more: JsonObject = agent) => toolBefore("Bash", { command }, more);
const denied = { says: "deny", message: "outside", ...scoped() } as const;

testPolicy(policy, {
  hit: [
    { name: "an entry that is empty", event: edit("src/api/x.ts"), ...denied, ...scoped({ "api-dev": ["", 5, null] }) },
    {
      name: "an edit outside",
      event: edit("src/web/page.ts"),
      ...denied,
      text: "src/web/page.ts is outside the scope of api-dev, which may change src/api, src/**/*.proto, ./tests/api/, README.md, docs/. The scopes are in .claude/hooks/scopes/implement-login.json",
    },
    { name: "a name that only begins alike", event: edit("src/api2/x.ts"), ...denied },
    { name: "a way around", event: edit("src/api/../web/page.ts"), ...denied },
    { name: "a whole path", event: edit(`${PROJECT}/src/web/page.ts`), ...denied },
    { name: "a file of another project", event: edit("/home/dev/other/x.ts"), ...denied, text: "/home/dev/other/x.ts" },
    { name: "the scope file itself", event: edit(".claude/hooks/scopes/implement-login.json"), ...denied },
    {
      name: "a link that leads out",
      event: edit("src/api/link/x.ts"),
      ...denied,
      files: { ...scoped().files, [`${PROJECT}/src/api/link`]: { link: `${PROJECT}/src/web` } },
    },
    { name: "a new file", event: toolBefore("Write", { file_path: "src/web/new.ts", content: "" }, agent), ...denied },
    {
      name: "a notebook",
      event: toolBefore("NotebookEdit", { notebook_path: "src/web/n.ipynb", new_source: "" }, agent),
      ...denied,
    },
    {
      name: "several edits at once",
      event: toolBefore("MultiEdit", { file_path: "src/web/a.ts", edits: [] }, agent),
      ...denied,
    },
    { name: "a redirection", event: bash("echo x > src/web/page.ts"), ...denied },
    { name: "sed in place", event: bash("sed -i s/a/b/ src/web/page.ts"), ...denied },
    { name: "a copy", event: bash("cp src/api/a.ts src/web/a.ts"), ...denied },
    { name: "a removal", event: bash("cd src && rm -r web"), ...denied, text: "src/web" },
    { name: "a pattern of the shell", event: bash("rm src/web/*.ts"), ...denied },
    { name: "inside another shell", event: bash(`bash -c 'tee src/web/a < src/api/b'`), ...denied },
    { name: "a glob that does not reach so far", event: edit("src/x.protobuf"), ...denied },
    {
      name: "an agent that is not listed",
      event: edit("src/api/x.ts", { agent_id: "a2", agent_type: "general-purpose" }),
      ...denied,
      text: "scope of general-purpose, which may change README.md, docs/.",
    },
    {
      name: "an agent that is called like the list of all",
      event: edit("src/api/x.ts", { agent_id: "a2", agent_type: "shared" }),
      ...denied,
      text: "scope of shared, which may change README.md, docs/.",
    },
    {
      name: "everything is allowed, but not outside of the project",
      event: edit("/home/dev/other/x.ts"),
      ...denied,
      ...scoped({ "api-dev": ["."] }),
    },
    {
      name: "an agent that is known by its id",
      event: edit("src/api/x.ts", { agent_id: "web-dev", agent_type: "x" }),
      ...denied,
      text: "scope of web-dev",
    },
    {
      name: "an agent of a plugin",
      event: edit("src/api/x.ts", { agent_id: "a", agent_type: "crew:web-dev" }),
      ...denied,
      text: "scope of web-dev",
    },
    {
      name: "a teammate",
      event: edit("src/api/x.ts", { agent_id: "a", agent_type: "x", teammate_name: "web-dev" }),
      ...denied,
      text: "scope of web-dev",
    },
    {
      name: "an agent that only the environment names",
      event: edit("src/web/x.ts", {}),
      ...denied,
      env: { CLAUDE_AGENT_NAME: "api-dev" },
    },
    { name: "a session under a listed name", event: edit("src/web/x.ts", { agent_type: "api-dev" }), ...denied },
    {
      name: "no list allows anything",
      event: edit("src/api/x.ts"),
      ...denied,
      ...scoped({ "api-dev": [] }),
      text: "may change nothing",
    },
    {
      name: "in a worktree of the plan",
      event: edit("/wt/login/src/web/x.ts"),
      ...denied,
      ...scoped(SCOPES, stateOf({ worktrees: { _all: "/wt/login" } })),
    },
    {
      name: "a submodule is no worktree",
      event: edit("vendor/lib/src/api/x.ts"),
      ...denied,
      files: { ...scoped().files, [`${PROJECT}/vendor/lib/.git`]: "gitdir: ../../.git/modules/lib\n" },
    },
  ],
  pass: [
    {
      name: "a glob in a worktree that an agent was given",
      event: edit(".claude/worktrees/a1/src/web/x.proto"),
      files: { ...scoped().files, [`${PROJECT}/.claude/worktrees/a1/.git`]: `gitdir: ${PROJECT}/.git/worktrees/a1\n` },
    },
    { name: "an edit inside", event: edit("src/api/handler.ts"), ...scoped() },
    { name: "the folder itself", event: bash("mkdir -p src/api"), ...scoped() },
    { name: "an entry that begins with a dot", event: edit("tests/api/x.ts"), ...scoped() },
    { name: "a glob", event: edit("src/web/deep/a.proto"), ...scoped() },
    { name: "what everybody may change", event: edit("docs/a/b.md"), ...scoped() },
    { name: "a shared file", event: edit("README.md"), ...scoped() },
    { name: "the lead", event: edits("src/web/page.ts"), ...scoped() },
    { name: "a lead with a name of its own", event: edit("src/web/page.ts", { agent_type: "boss" }), ...scoped() },
    { name: "reading", event: toolBefore("Read", { file_path: "src/web/page.ts" }, agent), ...scoped() },
    { name: "a shell that only reads", event: bash("cat src/web/page.ts | grep x"), ...scoped() },
    { name: "a shell that writes inside", event: bash("echo x > src/api/x.ts; rm src/api/*.bak"), ...scoped() },
    { name: "output that nobody keeps", event: bash("make 2> /dev/null"), ...scoped() },
    { name: "a scratch file", event: bash("echo x > /tmp/scratch"), ...scoped() },
    { name: "a commit", event: bash("git commit -am x"), ...scoped() },
    { name: "what git moves", event: bash("git mv src/web/a.ts src/web/b.ts"), ...scoped() },
    { name: "a target that nobody can know", event: bash('rm "$FILE"'), ...scoped() },
    {
      name: "a session under a name whose list is none",
      event: edit("src/web/page.ts", { agent_type: "api-dev" }),
      ...scoped({ "api-dev": "src/api" }),
    },
    { name: "a shell line that cannot be read", event: bash("echo 'x > src/web/page.ts"), ...scoped() },
    { name: "a shell of the lead", event: shell("rm -r src/web"), ...scoped() },
    { name: "no scope file", event: edit("src/web/page.ts"), ...project() },
    { name: "no plan", event: edit("src/web/page.ts"), files: {} },
    { name: "a state without a team", event: edit("src/web/page.ts"), ...scoped(SCOPES, { active_plan: "x.md" }) },
    {
      name: "a scope file of another team",
      event: edit("src/web/page.ts"),
      ...scoped(SCOPES, stateOf({ team: "other" })),
    },
    {
      name: "a team whose name leads elsewhere",
      event: edit("src/web/page.ts"),
      ...scoped(SCOPES, stateOf({ team: "../../implement-login" })),
    },
    {
      name: "a scope file that is no JSON",
      event: edit("src/web/page.ts"),
      ...project({ files: { [`${PROJECT}/.claude/hooks/scopes/implement-login.json`]: "{" } }),
    },
    { name: "a scope file that is a list", event: edit("src/web/page.ts"), ...scoped(["src"]) },
    { name: "everything is allowed", event: edit("src/web/page.ts"), ...scoped({ "api-dev": ["."] }) },
    {
      name: "a whole path in the list",
      event: edit("src/web/page.ts"),
      ...scoped({ "api-dev": [`${PROJECT}/src/web`] }),
    },
    {
      name: "the worktree of a plan",
      event: edit("/wt/login/src/api/x.ts"),
      ...scoped(SCOPES, stateOf({ worktrees: { _all: "/wt/login" } })),
    },
    {
      name: "the worktree of a service, named with it",
      event: edit("/wt/api/src/x.ts"),
      ...scoped({ "api-dev": ["api/src"] }, stateOf({ worktrees: { api: "/wt/api" } })),
    },
    {
      name: "a worktree that an agent was given",
      event: edit(".claude/worktrees/a1/src/api/x.ts"),
      files: { ...scoped().files, [`${PROJECT}/.claude/worktrees/a1/.git`]: `gitdir: ${PROJECT}/.git/worktrees/a1\n` },
    },
    {
      name: "a report of what was done",
      event: claudeEvent({
        hook_event_name: "PostToolUse",
        tool_name: "Edit",
        tool_use_id: "t",
        tool_input: { file_path: "src/web/x" },
        ...agent,
      }),
      ...scoped(),
    },
  ],
});
