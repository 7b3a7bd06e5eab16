// What several agents do on one morning. Every step becomes real events; nothing that a step names is run.

const DIFF = {
  file: "src/session-store.ts",
  before: "const LIFETIME = 3_600;",
  after: "/** One day, in seconds. */\nconst LIFETIME = 86_400;",
};

/** Each step: a shell command, or an edit, or one of the words below. `end` is how the session is left. */
export const SESSIONS = [
  {
    ...{ agent: "claude-code", project: "checkout-service", id: "7d1f0c52", prompt: "Deploy the new database module." },
    steps: ["npm test", { subagent: "Explore", id: "a4d2c8f1e0b3a291" }, "terraform plan -target=module.database"],
    end: { asks: "terraform apply -auto-approve -target=module.database" },
    tokens: 148_000,
  },
  {
    ...{ agent: "claude-code", project: "payments-api", id: "e90b4a1c", prompt: "Clean the branch up and push it." },
    steps: ["git log --oneline -5", "git push --force origin main", "git push origin refund-webhooks"],
    end: { asks: "gh pr create --fill --base main" },
    tokens: 61_000,
  },
  {
    ...{ agent: "claude-code", project: "login-page", id: "3b6a2f90", prompt: "Carry out the plan." },
    steps: [
      { subagent: "implementer", id: "b7e1d40c92aa6f13" },
      { edit: DIFF },
      { subagent: "code-reviewer", id: "c81f5be2730d94aa", ends: true },
      "npx vitest run src/login",
    ],
    end: { runs: "npm run build" },
    tokens: 172_000,
    plan: true,
  },
  {
    ...{ agent: "codex", project: "ray-tracer", id: "54c0e7d8", prompt: "Make the sphere intersection faster." },
    steps: ["cargo bench --bench sphere", "rm -rf target/criterion", "cargo test --release"],
    end: { runs: "cargo build --release" },
  },
  {
    ...{ agent: "claude-code", project: "hookwright", id: "91aa37be", prompt: "Why does the lint job fail?" },
    steps: ["npx biome check .", "cd ~ && rm -rf .claude", { edit: { ...DIFF, file: "biome.json" } }],
    end: "idle",
    tokens: 88_000,
  },
  {
    ...{ agent: "claude-code", project: "checkout-service", id: "0f4d91e3", prompt: "Free some disk space." },
    steps: ["docker system df", "docker volume prune -f", "du -sh node_modules"],
    end: "idle",
    tokens: 34_000,
  },
  {
    ...{ agent: "claude-code", project: "payments-api", id: "c2b87f16", prompt: "Add a test for refunds." },
    steps: [{ edit: { ...DIFF, file: "src/refund.test.ts" } }, "npm test -- refund"],
    end: "ended",
    tokens: 52_000,
  },
];

const PLAN = `# Login for everybody

## Implementation Tasks

| # | Task | Status |
|---|------|--------|
| 1 | Make the model of a session | complete |
| 2 | Keep sessions in the database | complete |
| 3 | Build the form | in-progress |
| 4 | Limit attempts by address | pending |
| 5 | Write the page of the guide | pending |
`;

/** Plays all sessions, one step of each in turn; calls `pause` after every step. */
export async function play(place, sessions = SESSIONS, pause = async () => undefined) {
  const { writeFileSync } = await import("node:fs");
  const running = sessions.map((session) => new Agent(place, session));
  for (const agent of running) {
    agent.begin();
    if (agent.session.plan !== true) continue;
    writeFileSync(`${agent.cwd}/plan.md`, PLAN);
    place.hookwright(["plan", "start", "plan.md"], { cwd: agent.cwd, env: { CLAUDE_CODE_SESSION_ID: agent.id } });
  }
  const most = Math.max(...sessions.map(({ steps }) => steps.length));
  for (let number = 0; number < most; number++) {
    for (const agent of running) {
      const step = agent.session.steps[number];
      if (step === undefined) continue;
      await agent.take(step, pause);
    }
  }
  for (const agent of [...running].reverse()) await agent.end(pause);
}

/** One session of an agent. */
export class Agent {
  constructor(place, session) {
    this.place = place;
    this.session = session;
    this.cwd = place.project(session.project);
    this.id = `${session.id}-3f52-4d7c-9a41-5d0c6e1b5a3f`;
  }

  tell(name, more = {}) {
    const place = { session_id: this.id, transcript_path: this.place.transcript(this.id), cwd: this.cwd };
    const event = { ...place, permission_mode: "default", hook_event_name: name, ...more };
    return this.place.send(this.session.agent, event);
  }

  begin() {
    this.tell("SessionStart", { source: "startup" });
    this.tell("UserPromptSubmit", { prompt: this.session.prompt });
    this.#answer();
  }

  async take(step, pause) {
    if (typeof step === "string") await this.#call("Bash", { command: step }, pause);
    else if (step.subagent !== undefined) await this.#subagent(step, pause);
    else {
      const file_path = `${this.cwd}/${step.edit.file}`;
      await this.#call("Edit", { file_path, old_string: step.edit.before, new_string: step.edit.after }, pause);
    }
    this.#answer();
  }

  async end(pause) {
    const { end } = this.session;
    if (end === "idle") this.tell("Stop", { stop_hook_active: false, last_assistant_message: "Done." });
    if (end === "ended") this.tell("SessionEnd", { reason: "prompt_input_exit" });
    if (end.runs !== undefined) this.tell("PreToolUse", this.#use("Bash", { command: end.runs }));
    if (end.asks !== undefined) {
      const use = this.#use("Bash", { command: end.asks });
      this.tell("PreToolUse", use);
      this.tell("PermissionRequest", { ...use, tool_use_id: undefined });
    }
    await pause();
  }

  /** A call is announced; unless it was denied it runs, and is reported. */
  async #call(tool, input, pause, more = {}) {
    const use = { ...this.#use(tool, input), ...more };
    const isDenied = /"(permissionDecision|decision)":\s*"(deny|block)"/.test(this.tell("PreToolUse", use));
    await pause();
    if (isDenied) return;
    this.tell("PostToolUse", {
      ...use,
      tool_response: { stdout: "", stderr: "", interrupted: false },
      duration_ms: 120,
    });
    await pause();
  }

  async #subagent({ subagent, id, ends }, pause) {
    const who = { agent_id: id, agent_type: subagent };
    this.tell("SubagentStart", who);
    await this.#call("Read", { file_path: `${this.cwd}/README.md` }, pause, who);
    this.place.answer(this.id, 24_000, id);
    if (ends) this.tell("SubagentStop", { ...who, stop_hook_active: false });
  }

  #use(tool_name, tool_input) {
    return { tool_name, tool_input, tool_use_id: this.place.nextUse() };
  }

  #answer() {
    if (this.session.tokens !== undefined) this.place.answer(this.id, this.session.tokens);
  }
}
