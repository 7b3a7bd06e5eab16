"use strict";
// The plugin for opencode. It reports what opencode does under opencode's own names and carries out the answers: a thrown
// error denies, text goes into messages and results, a held turn gets one more message. `hookwright init` writes the file
// that loads it.
const { connect, IdleHolds, Waiting } = require("./shim.cjs");

const [LOOK_MS, END_BUDGET_MS] = [1000, 1200];
/** `opencode run` leaves as soon as a session is idle, so there a turn has to be held before. */
const isRun = () => process.argv[2] === "run";

/** `opencode run "a b"` puts its argument into quotes, which nobody has written and in which no word would count. */
function asWritten(text) {
  const [, quoted] = (isRun() && /^"((?:[^"\\]|\\.)*)"$/s.exec(text)) || [];
  return quoted === undefined ? text : quoted.replaceAll('\\"', '"');
}

/** Which session an id belongs to. Subagents have sessions of their own; for us they are parts of the main one. */
class Sessions {
  #client;
  #known = new Map();

  constructor(client) {
    this.#client = client;
  }

  remember({ id, parentID, agent }) {
    const main = parentID ? (this.#known.get(parentID)?.sessionID ?? parentID) : id;
    this.#known.set(id, parentID ? { sessionID: main, childID: id, agent: agent ?? "" } : { sessionID: id });
  }

  /** A session of an earlier run is looked up; one that cannot be counts as a main one. */
  async owner(id) {
    if (!this.#known.has(id)) {
      const info = await quickly(this.#client.session.get({ path: { id } }));
      if (info?.parentID) await this.owner(info.parentID);
      if (info?.id === id) this.remember(info);
    }
    return this.#known.get(id) ?? { sessionID: id };
  }
}

/** The data of a request to opencode itself; undefined when it fails or takes too long. */
function quickly(request) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, LOOK_MS);
  });
  const data = Promise.resolve(request).then(
    (reply) => reply?.data,
    () => undefined,
  );
  return Promise.race([data, late]).finally(() => clearTimeout(timer));
}

/** Gives a result more text; false for one of a shape that has no place for it. */
function addToResult(result, text) {
  if (typeof result.output === "string") result.output += `\n\n${text}`;
  else if (Array.isArray(result.content)) result.content.push({ type: "text", text });
  else return false;
  return true;
}

class Plugin {
  constructor(settings, { client, directory }) {
    this.client = client;
    this.directory = directory;
    this.ask = connect({ ...settings, agent: "opencode" });
    this.sessions = new Sessions(client);
    this.waiting = new Waiting();
    this.idle = new IdleHolds();
    this.created = new Set();
    this.begun = new Set();
    this.reported = new Set();
    this.prompts = new Map(); // the agent and the model that the person has chosen, by session
    this.texts = new Map(); // what the model said last, by session
    this.holds = new Map(); // the message that we added -> the one that it was to hold
    this.heldTexts = new Set();
  }

  tell(text) {
    if (!text) return;
    if (isRun()) process.stderr.write(`Hookwright: ${text}\n`);
    else quickly(this.client.tui.showToast({ body: { title: "Hookwright", message: text, variant: "warning" } }));
  }

  /** Asks about an event of a session, and tells the person what is for a person. */
  async about(event, id, fields = {}, options = {}) {
    const owner = await this.sessions.owner(id);
    const name = owner.childID && event.startsWith("session.") ? `${event}.child` : event;
    const answer = await this.ask(name, { ...owner, directory: this.directory, ...fields }, options);
    this.tell(answer.notice);
    return answer;
  }

  async message({ sessionID }, { message, parts }) {
    const texts = parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text);
    if (this.heldTexts.delete(texts.join("\n"))) return;
    const text = asWritten(texts.join("\n"));
    if (!this.begun.has(sessionID)) {
      this.begun.add(sessionID);
      const source = this.created.has(sessionID) ? "startup" : "resume";
      this.waiting.add(sessionID, (await this.about("session.created", sessionID, { source })).note);
    }
    const { childID } = await this.sessions.owner(sessionID);
    if (!childID) {
      this.prompts.set(sessionID, { agent: message.agent, model: message.model });
      const { deny, note } = await this.about("chat.message", sessionID, { text });
      if (deny) {
        this.tell(deny);
        throw new Error(deny);
      }
      this.idle.worked(sessionID);
      this.waiting.add(sessionID, note);
    }
    const context = this.waiting.take(sessionID);
    // Parts are read in the order of their ids.
    const id = `${parts.at(-1)?.id ?? `prt_${Date.now().toString(36)}`}hw`;
    if (context) parts.push({ id, sessionID, messageID: message.id, type: "text", text: context, synthetic: true });
  }

  async beforeCall({ tool, sessionID, callID }, output) {
    const fields = { tool, callID, args: output.args };
    const answer = await this.about("tool.execute.before", sessionID, fields, { isGuarded: true });
    if (answer.deny) {
      this.reported.add(callID);
      throw new Error(answer.deny);
    }
    if (answer.args) {
      for (const name of Object.keys(output.args)) delete output.args[name];
      Object.assign(output.args, answer.args);
    }
    this.waiting.add(sessionID, answer.note);
  }

  async afterCall({ tool, sessionID, callID, args }, result) {
    this.idle.worked(sessionID);
    const { title, output, content, metadata } = result;
    const fields = { tool, callID, args, output: { title, output: output ?? content, metadata } };
    const answer = await this.about("tool.execute.after", sessionID, fields);
    if (answer.output !== undefined) result.output = answer.output;
    this.waiting.add(sessionID, answer.note);
    const text = this.waiting.take(sessionID);
    if (text && !addToResult(result, text)) this.waiting.add(sessionID, text);
  }

  async failedCall({ sessionID, tool, callID, state }) {
    if (this.reported.has(callID)) return;
    this.reported.add(callID);
    const fields = { tool, callID, args: state.input, error: String(state.error) };
    this.waiting.add(sessionID, (await this.about("message.part.updated", sessionID, fields)).note);
  }

  async compacted(sessionID) {
    await this.about("session.compacted", sessionID, { trigger: "auto" });
    const { childID } = await this.sessions.owner(sessionID);
    if (childID) return;
    this.waiting.add(sessionID, (await this.about("session.created", sessionID, { source: "compact" })).note);
  }

  /** A text is complete, and perhaps the turn with it: not if calls stand beside it, and not in a summary. */
  async textComplete({ sessionID, messageID }, { text }) {
    this.texts.set(sessionID, text);
    if (!isRun()) return;
    const { childID } = await this.sessions.owner(sessionID);
    const found = await quickly(this.client.session.message({ path: { id: sessionID, messageID } }));
    if (childID || found?.info.summary || found?.parts.some((part) => part.type === "tool")) return;
    const hold = await this.holdOf("experimental.text.complete", sessionID);
    if (!hold) return;
    // With `noReply` it is only stored: waiting for a reply here would wait for this very turn.
    const added = await quickly(this.client.session.prompt(this.promptWith(sessionID, hold, { noReply: true })));
    if (added?.info) this.holds.set(added.info.id, messageID);
    else this.tell(`opencode did not take the message that was to keep the turn going: ${hold}`);
  }

  async idled(sessionID) {
    const { childID } = await this.sessions.owner(sessionID);
    if (childID) await this.about("session.idle", sessionID, { text: this.texts.get(sessionID) ?? "" });
    if (childID || isRun()) return;
    const hold = await this.holdOf("session.idle", sessionID);
    if (hold) await quickly(this.client.session.promptAsync(this.promptWith(sessionID, hold, {})));
  }

  async holdOf(event, sessionID) {
    const fields = { text: this.texts.get(sessionID) ?? "", held: this.idle.isHeld(sessionID) };
    const { hold } = await this.about(event, sessionID, fields);
    return hold && this.idle.another(sessionID) ? hold : undefined;
  }

  promptWith(id, text, more) {
    this.heldTexts.add(text);
    return { path: { id }, body: { ...this.prompts.get(id), parts: [{ type: "text", text }], ...more } };
  }

  /** Some providers complete a text before the calls behind it are known: then the turn had not ended. */
  withoutNeedlessHolds(messages) {
    for (const { info } of [...messages]) {
      const held = messages.find((one) => one.info.id === this.holds.get(info.id));
      if (held?.parts.some((part) => part.type === "tool"))
        messages.splice(
          messages.findIndex((one) => one.info === info),
          1,
        );
    }
  }

  async seen({ type, properties }) {
    const { info, part, sessionID } = properties ?? {};
    if (type === "session.created") this.created.add(info.id);
    if (type === "session.created" || type === "session.updated") this.sessions.remember(info);
    if (type === "session.compacted") await this.compacted(sessionID);
    if (type === "session.idle") await this.idled(sessionID);
    if (type === "session.error" && sessionID) {
      const error = properties.error?.data?.message ?? properties.error?.name ?? "";
      await this.about("session.error", sessionID, { error: String(error) });
    }
    if (type === "message.part.updated" && part?.type === "tool" && part.state?.status === "error") {
      await this.failedCall(part);
    }
  }

  async ended() {
    const ended = [...this.begun].map(async (id) => {
      const { childID } = await this.sessions.owner(id);
      if (!childID) await this.about("dispose", id, { reason: "exit" }, { budgetMs: END_BUDGET_MS });
    });
    await Promise.allSettled(ended);
  }

  hooks() {
    return {
      event: ({ event }) => this.seen(event),
      "chat.message": (input, output) => this.message(input, output),
      "tool.execute.before": (input, output) => this.beforeCall(input, output),
      "tool.execute.after": (input, output) => this.afterCall(input, output),
      "experimental.text.complete": (input, output) => this.textComplete(input, output),
      "experimental.chat.messages.transform": async (_input, { messages }) => this.withoutNeedlessHolds(messages),
      "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
        const text = this.waiting.take(sessionID);
        if (text) system.push(text);
      },
      "experimental.session.compacting": async ({ sessionID }, { context }) => {
        const { note } = await this.about("experimental.session.compacting", sessionID, { trigger: "auto" });
        if (note) context.push(note);
      },
      dispose: () => this.ended(),
    };
  }
}

/** The hooks for one instance of opencode. */
exports.start = (settings, input) => new Plugin(settings, input).hooks();
