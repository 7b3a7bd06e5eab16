/**
 * The schemas of accepted answers, tried with answers that an encoder could get wrong: each golden answer with one key too many,
 * and with one key under another name. An agent drops some of them, and then runs a call that was denied.
 */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { isCallEvent } from "../../src/agents/declaration.ts";
import { AGENT_NAMES, agentNamed } from "../../src/agents/known-agents.ts";
import { acceptedAnswer } from "../support/answers/accepted-answers.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What stands below these is not ours to name: arguments and results of a tool, and a form that was filled in. */
const FREE = ["updatedInput", "modifiedArgs", "tool_input", "args", "content", "updatedToolOutput"];
const WRONG = "wrongName";

/** The object with one key too many, or one renamed, at every place where a key is ours to name. */
function* misspelt(fields: Fields): Generator<Fields> {
  yield { ...fields, [WRONG]: true };
  for (const [name, value] of Object.entries(fields)) {
    const { [name]: _, ...others } = fields;
    yield { ...others, [WRONG]: value };
    if (FREE.includes(name) || typeof value !== "object" || value === null || Array.isArray(value)) continue;
    for (const inner of misspelt(value as Fields)) yield { ...fields, [name]: inner };
  }
}

/** Every object that stands on standard output in an agent's golden files, with its event. */
function answersOf(agent: string): { event: string; answer: Fields }[] {
  const folder = path.join(import.meta.dirname, agent, agentNamed(agent)?.declaration.version ?? "");
  return fs.readdirSync(folder).flatMap((file) => {
    const { answers } = JSON.parse(fs.readFileSync(path.join(folder, file), "utf8")) as { answers: object };
    const texts = [...JSON.stringify(answers).matchAll(/"stdout":("\{(?:[^"\\]|\\.)*")/g)];
    return texts.map(([, text = ""]) => ({
      event: path.basename(file, ".json"),
      answer: JSON.parse(JSON.parse(text) as string) as Fields,
    }));
  });
}

describe.each(AGENT_NAMES)("%s", (agent) => {
  it("accepts no answer with a key too many or under another name", async () => {
    const accepted = await acceptedAnswer(agent);
    const answers = answersOf(agent);
    expect(answers.length).toBeGreaterThan(5);
    for (const { event, answer } of answers) {
      const said = (fields: Fields) => accepted(event, { exit: 0, stdout: JSON.stringify(fields), stderr: "" });
      expect([event, said(answer)]).toEqual([event, ""]);
      for (const wrong of misspelt(answer)) expect(said(wrong), `${event}: ${JSON.stringify(wrong)}`).not.toBe("");
    }
  });

  it.each(["exit", "json"] as const)("accepts the denial of a call that cannot be read, by %s", async (form) => {
    const accepted = await acceptedAnswer(agent);
    const adapter = agentNamed(agent) ?? expect.fail();
    const calls = Object.keys(adapter.declaration.events).filter((event) => isCallEvent(adapter.declaration, event));
    expect(calls.length).toBeGreaterThan(0);
    for (const event of calls) {
      const denial = adapter.denyUnreadable(event, "It is cut.", form);
      expect([accepted(event, denial), denial.stderr]).toEqual(["", "It is cut.\n"]);
      expect(denial.stdout).toMatch(/"deny".*"It is cut\."/);
    }
  });
});
