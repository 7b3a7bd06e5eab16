import { isVerdict, type Retry, type Verdict } from "../../core/verdict.ts";

/** More than enough for a text that is to be read; agents show less. */
const LONGEST_TEXT = 10_000;
const MOST_VERDICTS = 50;

/**
 * What a worker sent, made of known fields only. A verdict that nobody built with `ctx` may hold anything, and the rest
 * of the engine trusts verdicts. A value that is no verdict stays as it is, and the pipeline refuses it.
 */
export function readSaid(said: unknown): unknown {
  if (!Array.isArray(said)) return readOne(said);
  if (said.length > MOST_VERDICTS) throw new Error(`answered ${said.length} verdicts at once`);
  return said.map(readOne);
}

function readOne(value: unknown): unknown {
  if (!isVerdict(value)) return value;
  if (value.kind === "approve" || value.kind === "wait") {
    throw new Error(`\`${value.kind}\` is not offered to a project's own policies`);
  }
  const { kind, message, text } = value;
  const data = dataOf(value.data);
  if (JSON.stringify([message, text, data]).length > LONGEST_TEXT) throw new Error("said too much");
  return { kind, message, text, data, ...restOf(value) };
}

function restOf(verdict: Verdict): object {
  switch (verdict.kind) {
    case "deny":
      return { retry: isRetry(verdict.retry) ? verdict.retry : "never" };
    case "note":
      return typeof verdict.pointer === "string" ? { pointer: verdict.pointer } : {};
    case "hold": {
      const { strength, rank, progress, exit, limit, once } = verdict;
      return { strength, rank, progress, exit, limit, ...(once === true ? { once } : {}) };
    }
    case "notice":
      return verdict.ifPassed === true ? { ifPassed: true } : {};
    case "release":
      return { policies: verdict.policies };
    case "watch":
      return { paths: verdict.paths };
    case "environment":
      return { variables: { ...verdict.variables } };
    case "rewrite":
      return { value: jsonOf(verdict.value) };
    default:
      return {};
  }
}

function isRetry(value: unknown): value is Retry {
  return typeof value === "string" && (value === "never" || value === "once" || value.startsWith("after "));
}

function dataOf(value: unknown): Record<string, string | number> {
  if (typeof value !== "object" || value === null) return {};
  const entries = Object.entries(value).filter(
    (pair): pair is [string, string | number] => typeof pair[1] === "string" || typeof pair[1] === "number",
  );
  return Object.fromEntries(entries);
}

/** A rewritten value is sent to the agent as JSON, so it must be JSON. */
function jsonOf(value: unknown): unknown {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw new Error("rewrote the event to something that is not JSON", { cause: error });
  }
  if (text === undefined) throw new Error("rewrote the event to nothing");
  return JSON.parse(text);
}
