/** What a session is doing, as the events that hooks report of it tell. */
export type SessionState = "waiting" | "working" | "held" | "idle" | "dead";

/** One event of a session. */
export interface SessionEvent {
  readonly id: number;
  readonly at: number;
  readonly event: string;
  /** Empty for the main thread. */
  readonly agentId: string;
  readonly tool: string;
  readonly toolUseId: string;
  readonly ruling: string;
  /** Of `notification.sent`, `subagent.start` and `session.start`: what the agent calls this kind of it; else empty. */
  readonly kind: string;
}

/** A request that a person has not answered yet, by the event that made it. */
export interface OpenRequest {
  readonly id: number;
  readonly at: number;
  readonly toolUseId: string;
}

export interface SeenSubagent {
  readonly agentId: string;
  readonly type: string;
  readonly state: "running" | "completed" | "failed";
  readonly since: number;
}

/** Tools that ask a person, so that a call of them waits for the answer. */
const ASKING_TOOLS = new Set(["AskUserQuestion", "ExitPlanMode", "request_user_input"]);
/** A client that was killed reports nothing: after this time without an event, work no longer counts as going on. */
const SILENT_MS = 6 * 3_600_000;
const MOST_SUBAGENTS = 100;

/** The state of one session, kept up to date event by event in constant memory. */
export class SessionStates {
  #main: Exclude<SessionState, "waiting"> = "idle";
  #since = 0;
  #lastAt = 0;
  /** By thread: each can wait for one answer. */
  readonly #requests = new Map<string, OpenRequest>();
  readonly #subagents = new Map<string, SeenSubagent>();

  get lastAt(): number {
    return this.#lastAt;
  }

  /** The oldest request, which has waited longest. */
  get request(): OpenRequest | undefined {
    return [...this.#requests.values()].sort((a, b) => a.id - b.id)[0];
  }

  get subagents(): readonly SeenSubagent[] {
    return [...this.#subagents.values()];
  }

  stateAt(now: number): { readonly state: SessionState; readonly since: number } {
    const { request } = this;
    if (this.#main === "dead") return { state: "dead", since: this.#since };
    if (request) return { state: "waiting", since: request.at };
    const running = this.subagents.filter(({ state }) => state === "running");
    const isAtWork = this.#main !== "idle" || running.length > 0;
    if (isAtWork && now - this.#lastAt > SILENT_MS) return { state: "dead", since: this.#lastAt };
    if (this.#main !== "idle" || running.length === 0) return { state: this.#main, since: this.#since };
    return { state: "working", since: Math.min(...running.map(({ since }) => since)) };
  }

  add(event: SessionEvent): void {
    this.#lastAt = Math.max(this.#lastAt, event.at);
    if (this.#since === 0) this.#since = event.at;
    this.#follow(event);
    if (asksPerson(event)) this.#requests.set(event.agentId, event);
    else if (answers(event)) this.#requests.delete(event.agentId);
    if (event.agentId !== "") return;
    const next = mainAfter(event, this.#main);
    if (next === "dead" || next === "idle") this.#requests.delete("");
    if (next !== this.#main) this.#since = event.at;
    this.#main = next;
  }

  #follow({ event, agentId, at, kind, ruling }: SessionEvent): void {
    if (event === "session.end") {
      this.#requests.clear();
      for (const one of this.#subagents.values()) this.#end(one, "failed", at);
    }
    if (agentId === "") return;
    const known = this.#subagents.get(agentId);
    if (event === "subagent.start" || (!known && event !== "subagent.stop")) {
      if (this.#subagents.size >= MOST_SUBAGENTS) this.#forgetOne();
      this.#subagents.set(agentId, { agentId, type: kind || (known?.type ?? ""), state: "running", since: at });
    } else if (known && event === "subagent.stop" && ruling !== "hold") {
      this.#requests.delete(agentId);
      this.#end(known, "completed", at);
    }
  }

  #end(one: SeenSubagent, state: SeenSubagent["state"], since: number): void {
    if (one.state === "running") this.#subagents.set(one.agentId, { ...one, state, since });
  }

  /** An ended one if there is any, as the ones that work matter more. */
  #forgetOne(): void {
    const all = this.subagents;
    const gone = all.find(({ state }) => state !== "running") ?? all[0];
    if (!gone) return;
    this.#subagents.delete(gone.agentId);
    this.#requests.delete(gone.agentId);
  }
}

function asksPerson({ event, tool, ruling, kind }: SessionEvent): boolean {
  switch (event) {
    case "permission.request":
      return ruling === "pass";
    case "tool.before":
      return ruling === "ask" || (ruling !== "deny" && ASKING_TOOLS.has(tool));
    case "notification.sent":
      return kind === "permission_prompt" || kind === "elicitation_dialog";
    case "elicitation.request":
      return ruling === "pass";
    default:
      return false;
  }
}

/** What only tells about the session says nothing about the answer. */
const NO_ANSWER = new Set([
  "notification.sent",
  "file.changed",
  "config.change",
  "instructions.loaded",
  "message.display",
]);

function answers({ event }: SessionEvent): boolean {
  return !NO_ANSWER.has(event);
}

function mainAfter(
  { event, kind, ruling }: SessionEvent,
  before: Exclude<SessionState, "waiting">,
): Exclude<SessionState, "waiting"> {
  switch (event) {
    case "session.end":
      return "dead";
    case "session.start":
      // In the middle of its work an agent starts the same session again after a compaction.
      return kind === "compact" && before !== "dead" ? before : "idle";
    case "prompt.submit":
      return ruling === "deny" ? before : "working";
    case "turn.stop":
      return ruling === "hold" ? "held" : "idle";
    case "turn.failed":
      return "idle";
    case "notification.sent":
      return kind === "idle_prompt" ? "idle" : before;
    case "tool.before":
    case "tool.after":
    case "tool.failed":
    case "batch.after":
    case "permission.request":
    case "permission.denied":
      return "working";
    default:
      return before;
  }
}
