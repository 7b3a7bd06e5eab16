import type { Json, JsonObject } from "../../../core/event.ts";
import { isObject } from "../../../core/event.ts";
import { localTime } from "../log-entry.ts";
import { textIn } from "../state.ts";
import { quoteTags } from "../tags.ts";

export const DETAILS_FILE = "DETAILS.md";
const LONGEST_TITLE = 60;
const LONGEST_PREMISE = 2_000;
const PREMISE_LINES = 200;

export interface Conversation {
  readonly input: JsonObject;
  readonly response: Json;
  /** The agent's last text before the question. */
  readonly premise: string;
  readonly now: number;
  readonly marker: string;
}

/** The entry in DETAILS.md for a question and its answer; undefined when the call has no question. */
export function detailsEntry({ input, response, premise, now, marker }: Conversation): string | undefined {
  const questions = questionsOf(input);
  const [first] = questions;
  if (!first) return undefined;
  const title = shortened(textIn(first, "question").replace(/\s+/g, " ").trim(), LONGEST_TITLE);
  const heading = `## [${localTime(now)}] ${textIn(first, "header") || "Q&A"} — ${title}`;
  const parts = [
    heading,
    "**Type**: Q&A (logged automatically)",
    ...(premise === "" ? [] : [`**Premise**:\n${quote(shortened(premise, LONGEST_PREMISE))}`]),
    `**Agent**:\n${quote(questions.map((one, index) => asked(one, questions.length > 1 ? index + 1 : 0)).join("\n"))}`,
    `**User**:\n${quote(answerText(response))}`,
    `---\n<!-- ${marker} -->`,
  ];
  return `\n${quoteTags(parts.join("\n\n"))}\n`;
}

function questionsOf(input: JsonObject): JsonObject[] {
  const list = Array.isArray(input.questions) ? (input.questions as readonly Json[]) : [input];
  return list.filter(isObject).filter((one) => textIn(one, "question") !== "");
}

function asked(question: JsonObject, number: number): string {
  const options = Array.isArray(question.options) ? (question.options as readonly Json[]) : [];
  const labels = options.map((one) => (isObject(one) ? textIn(one, "label") : String(one))).filter((one) => one !== "");
  const several = question.multiSelect === true ? " (several may be chosen)" : "";
  const lines = [`${number > 0 ? `${number}. ` : ""}${textIn(question, "question")}`];
  if (labels.length > 0) lines.push(`Options: ${labels.join(" / ")}${several}`);
  return lines.join("\n");
}

function answerText(response: Json): string {
  if (typeof response === "string") return response || "(no answer)";
  if (!isObject(response)) return "(no answer)";
  const answers = isObject(response.answers) ? response.answers : response;
  const lines = Object.entries(answers)
    .filter(([key]) => key !== "questions")
    .map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`);
  return lines.join("\n") || "(no answer)";
}

function quote(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}

/** The agent's last text, from the end of its transcript. */
export function lastAssistantText(tail: string): string {
  const lines = tail.split("\n").slice(-PREMISE_LINES);
  for (const line of lines.reverse()) {
    const text = assistantText(line);
    if (text !== "") return text;
  }
  return "";
}

function assistantText(line: string): string {
  if (!line.includes('"assistant"')) return "";
  let entry: Json;
  try {
    entry = JSON.parse(line) as Json;
  } catch {
    // The first line of the tail may be cut, and the last one may be still incomplete.
    return "";
  }
  const message = isObject(entry) && entry.type === "assistant" ? entry.message : undefined;
  const content = isObject(message) ? message.content : undefined;
  if (typeof content === "string") return content.trim();
  if (!Array.isArray(content)) return "";
  const texts = (content as readonly Json[]).filter(isObject).filter((block) => block.type === "text");
  return texts
    .map((block) => textIn(block, "text"))
    .join("\n")
    .trim();
}
