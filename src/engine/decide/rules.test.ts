import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { RuleWorld } from "./rules.samples.ts";

let world: RuleWorld;
beforeAll(() => {
  world = new RuleWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.person([]).theirs([]);
  world.loads = 0;
});

const rule = (conditions: object): object => ({ id: "r", do: "deny", text: "No.", ...conditions });
const outcomeOf = async (conditions: object, command: string): Promise<string> =>
  (await world.person([rule(conditions)]).shell(command)).outcome;

describe("a program", () => {
  it.each([
    "kubectl get pods",
    "kubectl",
    "/usr/local/bin/kubectl get pods",
    "./kubectl x",
    'k"ube"ctl get pods',
    "'kubectl' get",
    "\\kubectl get",
    "$'kube\\x63tl' get",
    "kube\\\nctl get",
    "sudo -u root kubectl get",
    "env A=1 kubectl get",
    "A=1 kubectl get",
    "cd /tmp && kubectl get",
    "true; false || kubectl get",
    "echo a | kubectl apply -f -",
    "bash -c 'kubectl get'",
    'sh -c "cd x; kubectl get"',
    "echo $(kubectl get)",
    "echo `kubectl get`",
    "cat <(kubectl get)",
    "(kubectl get)",
    "{ kubectl get; }",
    "if kubectl get; then :; fi",
    "for i in 1 2; do kubectl get $i; done",
    "X=kubectl; $X get",
    "timeout 5 nice kubectl get",
    "xargs kubectl get < list",
    "find . -exec kubectl apply -f {} \\;",
    "ssh host kubectl get",
    "eval kubectl get",
    "kubectl get & wait",
  ])("is found in %j", async (command) => {
    expect(await outcomeOf({ program: ["helm", "kubectl"] }, command)).toBe("deny");
  });

  it.each([
    "echo kubectl",
    "echo 'a; kubectl get'",
    "ls # kubectl",
    "cat kubectl",
    "kubectl-helper get",
    "Kubectl get",
    "cat <<'E'\nkubectl get\nE",
    "man kubectl.1",
    "KUBECTL=1 true",
    "$UNKNOWN get",
    "",
  ])("is not found in %j", async (command) => {
    expect(await outcomeOf({ program: "kubectl" }, command)).toBe("pass");
  });

  it("stands in the text", async () => {
    world.person([rule({ program: ["helm", "kubectl"], text: "{program} is not for you. {other}" })]);
    expect(await world.shell("true; sudo kubectl x")).toMatchObject({
      outcome: "deny",
      policy: "rules/r",
      reason: expect.stringMatching(/^kubectl is not for you\. \{other\} \[rules\/r\]\n/),
    });
  });
});

describe("a pattern", () => {
  it.each([
    ["deploy .*prod", "make deploy to-prod", "deny"],
    ["deploy .*prod", "make  deploy\t'to'-prod", "deny"],
    ["deploy .*prod", "make deploy \\\n  --to \\\n  prod", "deny"],
    ["git push --force", 'git   push "--force"', "deny"],
    ["git push --force", "git push\n--force", "pass"],
    ["^git push", "cd x && git push", "deny"],
    ["Deploy", "deploy", "pass"],
    ["(?i)Deploy", "deploy", "deny"],
    ["&& *rm", "true && rm x", "deny"],
    ["secret", "cat <<E\nsecret\nE", "deny"],
    ["x", "'unclosed x", "deny"],
    ["y", "'unclosed x", "pass"],
  ])("%j over the line %j: %s", async (pattern, command, outcome) => {
    expect(await outcomeOf({ pattern }, command)).toBe(outcome);
  });

  it.each([
    ["Write", { file_path: "/x/a.txt", content: "token = 1\n" }, "token = 1", "deny"],
    ["Write", { file_path: "/x/a.txt", content: 'a "b"' }, '\\\\"b\\\\"', "deny"],
    ["Write", { file_path: "/x/a.txt", content: "b" }, '"content":"b"', "deny"],
    ["mcp__db__query", { sql: "DROP TABLE x" }, "(?i)drop table", "deny"],
    ["Read", { file_path: "/x/.env" }, "\\.env", "deny"],
    ["Read", { file_path: "/x/a" }, "\\.env", "pass"],
  ])("over the input of %s %j", async (tool, input, pattern, outcome) => {
    world.person([rule({ pattern })]);
    expect((await world.tool(tool, input)).outcome).toBe(outcome);
  });

  it.each([
    ["UserPromptSubmit", "prompt.submit"],
    ["UserPromptExpansion", "prompt.expand"],
  ])("over a prompt, at %s", async (agent, event) => {
    world.person([rule({ event, pattern: "password: \\S+" })]);
    expect(await world.send({ hook_event_name: agent, prompt: "my password: x1" })).toMatchObject({ outcome: "deny" });
    expect(await world.send({ hook_event_name: agent, prompt: "my pass" })).toMatchObject({ outcome: "pass" });
    expect(await world.shell("password: x1")).toMatchObject({ outcome: "pass", rules: {} });
  });

  it("asks when a text is too long for it", async () => {
    world.person([rule({ pattern: "a{0,300}b{300}" }), rule({ id: "note", pattern: "a{0,300}b{300}", do: "note" })]);
    const long = await world.tool("Write", { file_path: "/x", content: "a".repeat(1_000_000) });
    expect(long).toMatchObject({ outcome: "ask", rules: { "rules/r": "ask", "rules/note": "" } });
    expect(long.reason).toContain("characters are too many to search");
    expect(await world.tool("Write", { file_path: "/x", content: "a".repeat(1_000) })).toMatchObject({
      outcome: "pass",
    });
  });
});

describe("a path", () => {
  const inProject = (name: string): string => path.join(world.project, name);

  it.each([
    ["infra/**", "Write", "infra/a.tf", "deny"],
    ["infra/**", "Edit", "infra/x/y.tf", "deny"],
    ["infra/**", "Write", "src/../infra/a.tf", "deny"],
    ["infra/**", "Write", "infrastructure/a", "pass"],
    ["infra", "Write", "infra/deep/a", "deny"],
    ["*.tf", "Write", "infra/a.tf", "pass"],
    ["**/*.tf", "Write", "infra/a.tf", "deny"],
    ["**/*.TF", "Write", "infra/a.tf", "pass"],
    ["**/.env*", "Write", "app/.env.local", "deny"],
    ["infra/**", "Read", "infra/a.tf", "pass"],
  ])("%s: %s %s", async (glob, tool, name, outcome) => {
    world.person([rule({ path: glob })]);
    const input = { file_path: inProject(name), content: "x", old_string: "a", new_string: "b" };
    expect((await world.tool(tool, input)).outcome).toBe(outcome);
  });

  it.each([
    ["infra/**", "echo x > infra/a.tf"],
    ["infra/**", 'echo x >> "in"fra/a.tf'],
    ["infra/**", "cd infra && touch a.tf"],
    ["infra/**", "sed -i s/a/b/ infra/a.tf"],
    ["infra/**", "tee infra/a.tf < x"],
    ["infra/**", "cp a.tf infra/"],
    ["infra/**", "cp build/*.tf infra/"],
    ["infra/**", "mv infra/a.tf old"],
    ["infra/**", "rm -rf infra"],
    ["infra/prod/**", "rm -rf infra"],
    ["infra/prod/**", "rm -rf ."],
    ["infra/prod/**", "rm -rf ../project"],
    ["infra/prod/**", "rm -rf *"],
    ["infra/prod/**", "rm -rf inf*"],
    ["infra/prod/**", "mv infra elsewhere"],
    ["infra/**", "rm infra/*"],
    ["infra/*.tf", "sed -i s/a/b/ infra/*.tf"],
    ["**/*.tf", "sed -i s/a/b/ infra/*.tf"],
    ["infra/main.tf", "sed -i s/a/b/ infra/*.tf"],
    ["*.pem", "rm *"],
    ["infra/**", "bash -c 'rm infra/a'"],
    ["infra/**", "sudo tee infra/a < x"],
    ["infra/**", "python x.py > infra/out 2>&1"],
    ["infra/**", "for f in a b; do touch infra/$f; done"],
  ])("%s is written by %j", async (glob, command) => {
    expect(await outcomeOf({ path: glob }, command)).toBe("deny");
  });

  it.each([
    ["infra/**", "cat infra/a.tf"],
    ["infra/**", "cp infra/a.tf /tmp/x"],
    ["infra/**", "echo infra/a.tf > notes"],
    ["infra/**", "rm *.log"],
    ["infra/**", "rm -rf src"],
    ["infra/**", "mkdir -p src/infra"],
    ["*.pem", "rm *.log"],
    ["infra/prod/**", "touch infra/test/a"],
    ["infra/prod/**", "touch infra"],
    ["infra/**", "ssh host 'rm infra/a'"],
    ["infra/**", 'echo x > "$SOMEWHERE"'],
  ])("%s is not written by %j", async (glob, command) => {
    expect(await outcomeOf({ path: glob }, command)).toBe("pass");
  });

  it("asks when a line writes too many to compare", async () => {
    const many = Array.from({ length: 3_000 }, (_, n) => `a${n}*`).join(" ");
    const { outcome, reason } = await world.person([rule({ path: "infra/**" })]).shell(`rm ${many}`);
    expect([outcome, reason]).toEqual(["ask", expect.stringContaining("3000 paths are too many to compare")]);
    expect(await outcomeOf({ path: "infra/**" }, `rm ${many.slice(0, 2_000)}`)).toBe("pass");
  });

  it("may be a whole one, or one from the person's home", async () => {
    world.person([rule({ path: ["/etc/nginx/**", "~/.kube/**"], text: "Not {path}." })]);
    const denied = async (command: string): Promise<string> => (await world.shell(command)).reason.split("\n")[0] ?? "";
    expect(await denied("sudo tee /etc/nginx/nginx.conf < x")).toBe("Not /etc/nginx/nginx.conf. [rules/r]");
    expect(await denied("rm -rf /etc")).toBe("Not /etc. [rules/r]");
    expect(await denied("echo x > ~/.kube/cache/y")).toBe(`Not ${world.userHome}/.kube/cache/y. [rules/r]`);
    expect(await denied("touch .kube/x etc/nginx/x")).toBe("");
  });

  it("stands in the text as it is called in the project", async () => {
    world.person([rule({ path: "infra/**", text: "{path} is not yours." })]);
    expect((await world.shell("cd infra; touch ok/../a.tf")).reason).toMatch(/^infra\/a\.tf is not yours\./);
  });

  it("follows a copy into what it names when that is a folder", async () => {
    world.person([rule({ path: "infra/key.tf" })]);
    expect(await world.shell("cp a/key.tf infra")).toMatchObject({ outcome: "pass" });
    fs.mkdirSync(inProject("infra"), { recursive: true });
    for (const [command, outcome] of [
      ["cp a/key.tf infra", "deny"],
      ["cp a/*.tf infra", "deny"],
      ["cp a/*.md infra", "pass"],
      ["cp -T a/key.tf infra", "pass"],
    ] as const) {
      expect([command, (await world.shell(command)).outcome]).toEqual([command, outcome]);
    }
  });

  it("is found through links, in either direction", async () => {
    fs.mkdirSync(inProject("infra"), { recursive: true });
    fs.symlinkSync(inProject("infra"), inProject("alias"));
    fs.symlinkSync(world.project, path.join(world.root, "linked"));
    world.person([rule({ path: "infra/**" })]);
    expect(await world.shell("touch alias/a")).toMatchObject({ outcome: "deny" });
    const linked = path.join(world.root, "linked");
    expect(await world.shell("touch infra/a", { cwd: linked })).toMatchObject({ outcome: "deny" });
    expect(await world.shell(`touch ${linked}/infra/a`)).toMatchObject({ outcome: "deny" });
  });

  it("counts from a worktree's own root", async () => {
    const worktree = path.join(world.root, "worktree");
    const admin = inProject(".git/worktrees/w");
    fs.mkdirSync(path.join(worktree, "deep"), { recursive: true });
    fs.mkdirSync(admin, { recursive: true });
    fs.writeFileSync(path.join(worktree, ".git"), `gitdir: ${admin}\n`);
    fs.writeFileSync(path.join(admin, "commondir"), "../..\n");
    world.person([rule({ path: "infra/**", text: "{path}" })]);
    const denied = await world.shell("touch ../infra/a", { cwd: path.join(worktree, "deep") });
    expect(denied.reason).toMatch(/^infra\/a \[/);
    expect(await world.shell("touch infra/a", { cwd: path.join(worktree, "deep") })).toMatchObject({ outcome: "pass" });
  });
});

describe("a tool", () => {
  const write = { file_path: "/x/a", content: "b" };
  it.each([
    ["Bash", "Bash", { command: "ls" }, true],
    ["bash", "Bash", { command: "ls" }, true],
    ["shell", "Bash", { command: "ls" }, true],
    [["Read", "shell"], "Bash", { command: "ls" }, true],
    ["edit", "Write", write, true],
    ["Edit", "Write", write, false],
    ["read", "Read", { file_path: "/x" }, true],
    ["spawn", "Agent", { prompt: "x" }, true],
    ["spawn", "Task", { prompt: "x" }, true],
    ["mcp__db__query", "mcp__db__query", {}, true],
    ["mcp__db", "mcp__db__query", {}, false],
    ["shell", "Write", write, false],
  ])("%j: %s", async (tool, name, input, isMeant) => {
    world.person([rule({ tool })]);
    const { outcome, rules } = await world.tool(name, input);
    expect([outcome, Object.keys(rules)]).toEqual(isMeant ? ["deny", ["rules/r"]] : ["pass", []]);
  });
});

describe("several conditions", () => {
  const all = { tool: "shell", program: "kubectl", pattern: "prod", path: "out/**" };
  it.each([
    ["kubectl get prod > out/a", "deny"],
    ["kubectl get test > out/a", "pass"],
    ["kubectl get prod > a", "pass"],
    ["helm get prod > out/a", "pass"],
  ])("must all hold: %j", async (command, outcome) => {
    expect(await outcomeOf(all, command)).toBe(outcome);
  });
});

describe("a line that cannot be read", () => {
  const unreadable = "kubectl get prod 'and then";
  it.each([
    [{ program: "kubectl" }, "ask"],
    [{ program: "helm" }, "ask"],
    [{ path: "infra/**" }, "ask"],
    [{ program: "kubectl", do: "ask" }, "ask"],
    [{ program: "kubectl", do: "note" }, "pass"],
    [{ program: "kubectl", pattern: "prod" }, "ask"],
    [{ program: "kubectl", pattern: "test" }, "pass"],
    [{ pattern: "prod" }, "deny"],
    [{ tool: "Bash" }, "deny"],
    [{ program: "kubectl", mode: "observe" }, "pass"],
  ])("with %j: %s", async (conditions, outcome) => {
    expect(await outcomeOf(conditions, unreadable)).toBe(outcome);
  });

  it("keeps a rule silent where nobody can be asked, and that is recorded", async () => {
    world.person([rule({ event: "permission.request", program: "kubectl" })]);
    const request = (command: string) => ({
      hook_event_name: "PermissionRequest",
      tool_name: "Bash",
      tool_input: { command },
    });
    expect(await world.send(request("kubectl get"))).toMatchObject({ outcome: "deny" });
    expect(await world.send(request(unreadable))).toMatchObject({
      outcome: "pass",
      rules: { "rules/r": expect.stringMatching(/\w/) },
    });
  });

  it("is said to be one", async () => {
    world.person([rule({ program: "kubectl" })]);
    expect((await world.shell(unreadable)).reason).toContain("could not be parsed");
  });
});

describe("as a policy", () => {
  it("asks, notes, and is silent when off or for another event", async () => {
    world.person([
      rule({ id: "a", program: "x", do: "ask", text: "Sure?" }),
      rule({ id: "n", program: "x", do: "note", text: "Mind the gap." }),
      rule({ id: "o", program: "x", mode: "off" }),
      rule({ id: "p", event: "PostToolUse", tool: "Bash", do: "note", text: "Done." }),
    ]);
    expect(await world.shell("x")).toMatchObject({
      outcome: "ask",
      reason: "Sure? [rules/a]",
      notes: ["Mind the gap."],
      rules: { "rules/a": "ask", "rules/n": "note" },
    });
    const after = {
      hook_event_name: "PostToolUse",
      tool_name: "Bash",
      tool_input: { command: "y" },
      tool_response: {},
    };
    expect(await world.send(after)).toMatchObject({ outcome: "pass", notes: ["Done."] });
  });

  it("only records what it would have said when it observes", async () => {
    world.person([rule({ program: "x", mode: "observe" })]);
    expect(await world.shell("x")).toMatchObject({ outcome: "pass", rules: { "rules/r": "deny" } });
  });

  it("comes after the guards, and its denial is told beside theirs", async () => {
    fs.writeFileSync(
      path.join(world.home, "config.yml"),
      JSON.stringify({ rules: [rule({ pattern: "settings", text: "No settings." })] }),
    );
    const { reason, policy } = await world.shell("echo x > ~/.claude/settings.json");
    expect(policy).toBe("safety/protected-paths");
    expect(reason).toContain("Also: No settings. [rules/r]");
  });

  it("is asked whatever profile is chosen", async () => {
    world.person([rule({ program: "x" })]);
    const payload = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "x" } };
    expect((await world.examine(payload, ["--profile", "ntm"])).judgement?.ruling.outcome).toBe("deny");
  });

  it("asks about a call whose body it cannot understand", async () => {
    world.person([rule({ program: "x" }), rule({ id: "n", program: "x", do: "note" })]);
    expect(await world.tool("Bash", ["x"])).toMatchObject({ outcome: "ask", policy: "rules/r" });
    expect(await world.tool("Write", { content: "x" })).toMatchObject({ outcome: "pass", rules: {} });
  });

  it("asks when its own machinery fails", async () => {
    world.person([rule({ pattern: "x" }), rule({ id: "n", pattern: "x", do: "note" })]);
    Object.defineProperty(world, "loads", {
      configurable: true,
      get: () => 0,
      set: () => {
        throw new Error("the chunk is gone");
      },
    });
    try {
      const { outcome, reason, rules } = await world.shell("x");
      expect([outcome, rules]).toEqual(["ask", { "rules/r": "the chunk is gone", "rules/n": "the chunk is gone" }]);
      expect(reason).toContain("could not be checked by rules/r");
    } finally {
      Object.defineProperty(world, "loads", { configurable: true, writable: true, value: 0 });
    }
  });

  it("loads the engines for patterns only when one has to be compared, and compiles it once", async () => {
    world.person([
      rule({ program: "x" }),
      rule({ id: "w", tool: "Write", pattern: "y" }),
      rule({ id: "v", path: "infra/**" }),
      rule({ id: "u", program: "y", pattern: "y" }),
    ]);
    await world.shell("x y");
    await world.tool("Read", { file_path: "/x" });
    expect(world.loads).toBe(0);
    world.person([rule({ id: "w", tool: "Write", pattern: "y" })]);
    await world.tool("Write", { file_path: "/x", content: "" });
    expect(world.loads).toBe(1);
    // Only a file that has been left alone for a moment is held on to.
    await new Promise((resolve) => setTimeout(resolve, 130));
    for (let n = 0; n < 3; n++) await world.tool("Write", { file_path: "/x", content: "" });
    expect(world.loads).toBe(2);
  });
});

describe("of a project", () => {
  it("denies and asks beside the person's, and needs trust to talk to the model", async () => {
    world.person([rule({ id: "mine", program: "a", text: "Mine." })]);
    const theirs = [
      rule({ id: "theirs", program: "b", text: "Theirs." }),
      rule({ id: "note", program: "c", do: "note", text: "Obey." }),
      rule({ id: "mine", program: "a", do: "ask", text: "Weak." }),
    ];
    world.theirs(theirs);
    expect(await world.shell("a")).toMatchObject({ outcome: "deny", policy: "rules/mine" });
    expect(await world.shell("b")).toMatchObject({ outcome: "deny", policy: "rules/theirs" });
    const { notes, problems } = await world.shell("c");
    expect(notes).toEqual([]);
    expect(problems.join("\n")).toContain("`rules/note` is ignored");
    expect(problems.join("\n")).toContain("`rules/mine` is ignored");

    world.theirs(theirs, true);
    expect(await world.shell("a")).toMatchObject({ outcome: "ask", reason: "Weak. [rules/mine]" });
    expect(await world.shell("c")).toMatchObject({ notes: ["Obey."], problems: [] });
  });

  it("cannot use up what the person's rules may spend", async () => {
    const large = Array.from({ length: 19 }, (_, n) => rule({ id: `a${n}`, pattern: "a{0,300}b{300}", do: "ask" }));
    world.person([rule({ id: "z", pattern: "secret" })]).theirs(large);
    const text = `${"a".repeat(100_000)}secret`;
    expect(await world.tool("Write", { file_path: "/x", content: text })).toMatchObject({
      outcome: "deny",
      policy: "rules/z",
      rules: { "rules/z": "deny", "rules/a18": "ask" },
      problems: [],
    });
  });
});
