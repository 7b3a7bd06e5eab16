/** Runs the real Claude Code, headless, against the scripted model. */
import { FakeModel } from "./fake-model.ts";
import type { ModelRequest } from "./model-requests.ts";
import type { ModelScript } from "./model-script.ts";
import type { ProgramOutcome } from "./processes.ts";
import type { ProgramOptions, Scratch } from "./scratch.ts";

const CLIENT_TIMEOUT_MS = 60_000;

export interface ClientUnderTest {
  readonly binary: string;
  readonly version: string;
}

export function clientUnderTest(): ClientUnderTest {
  const binary = process.env.HOOKWRIGHT_E2E_CLIENT_BINARY;
  const version = process.env.HOOKWRIGHT_E2E_CLIENT_VERSION;
  if (binary === undefined || version === undefined) {
    throw new Error("No client to test: start these tests with `npm run e2e`, which installs one");
  }
  return { binary, version };
}

export interface ClaudeRun {
  readonly prompt: string;
  /** Said one after the other in the same session, instead of the prompt. */
  readonly messages?: readonly string[];
  readonly script: ModelScript;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Extra settings for this run only, given on the command line as the client allows. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly timeoutMs?: number;
  /** Answers what the client asks a person before a tool runs: the input it shall run with. */
  readonly answer?: (tool: string, input: Record<string, unknown>) => Record<string, unknown>;
}

/** The client's closing record of a headless run. */
export interface ClaudeResult {
  readonly type: "result";
  readonly subtype: string;
  readonly is_error: boolean;
  readonly result?: string;
  readonly session_id: string;
  readonly permission_denials?: readonly { readonly tool_name: string; readonly tool_use_id: string }[];
}

/** One run of a hook as the client reports it. */
export interface HookResponse {
  readonly type: "system";
  readonly subtype: "hook_response";
  readonly hook_event: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly exit_code?: number;
}

export interface ClaudeOutcome extends ProgramOutcome {
  readonly result: ClaudeResult;
  readonly hookResponses: readonly HookResponse[];
  /** The main conversation's requests, in order. */
  readonly requests: readonly ModelRequest[];
  readonly model: FakeModel;
}

export function clientEnvironment(baseUrl: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: baseUrl,
    ANTHROPIC_API_KEY: "test-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_BUG_COMMAND: "1",
    DISABLE_FEEDBACK_COMMAND: "1",
    CLAUDE_CODE_DISABLE_FEEDBACK_SURVEY: "1",
    DISABLE_INSTALLATION_CHECKS: "1",
    // Otherwise newer clients hide most tools until the model searches for them, and a script cannot call them.
    ENABLE_TOOL_SEARCH: "false",
  };
}

/** Lets every tool run as root without questions, so that a hook is all that can stop one. */
export const NO_PERMISSION_CHECKS = {
  args: ["--dangerously-skip-permissions"],
  env: { IS_SANDBOX: "1" },
} as const;

export async function runClaude(scratch: Scratch, run: ClaudeRun): Promise<ClaudeOutcome> {
  const model = await FakeModel.start(run.script);
  try {
    const outcome = await scratch.run(clientUnderTest().binary, clientArguments(run), {
      env: { ...clientEnvironment(model.baseUrl), ...run.env },
      timeoutMs: run.timeoutMs ?? CLIENT_TIMEOUT_MS,
      ...inputOf(run),
    });
    if (model.failures.length > 0) throw new AggregateError(model.failures, "The scripted model failed");
    const records = parseRecords(outcome);
    const result = records.find((record): record is ClaudeResult => record.type === "result");
    if (result === undefined) throw new Error(`The client printed no result: ${describeOutcome(outcome)}`);
    const hookResponses = records.filter(isHookResponse);
    return { ...outcome, result, hookResponses, requests: model.conversation(), model };
  } finally {
    await model.stop();
  }
}

function clientArguments(run: ClaudeRun): string[] {
  const settings = run.settings === undefined ? [] : ["--settings", JSON.stringify(run.settings)];
  // The stream form ends with the same result record as the plain one and also tells what each hook answered.
  const output = ["--output-format", "stream-json", "--verbose", "--include-hook-events"];
  const isSpoken = run.messages !== undefined || run.answer !== undefined;
  const prompt = isSpoken ? ["-p", "--input-format", "stream-json"] : ["-p", run.prompt];
  if (run.answer) prompt.push("--permission-prompt-tool", "stdio");
  return [...prompt, "--model", "claude-sonnet-4-5", ...output, ...settings, ...(run.args ?? [])];
}

function inputOf({ prompt, messages, answer }: ClaudeRun): Pick<ProgramOptions, "input" | "talk"> {
  if (messages === undefined && answer === undefined) return {};
  const input = (messages ?? [prompt]).map(userMessage).join("");
  return answer === undefined ? { input } : { input, talk: answering(answer) };
}

function userMessage(text: string): string {
  return `${JSON.stringify({ type: "user", message: { role: "user", content: [{ type: "text", text }] } })}\n`;
}

interface PermissionQuestion {
  readonly type: string;
  readonly request_id?: string;
  readonly request?: { readonly subtype: string; readonly tool_name: string; readonly input: Record<string, unknown> };
}

/** Says yes to what the client asks, with the input it is given; the conversation is over with the result. */
function answering(answer: NonNullable<ClaudeRun["answer"]>): (line: string) => string | "end" | undefined {
  return (line) => {
    const { type, request_id, request } = JSON.parse(line) as PermissionQuestion;
    if (type === "result") return "end";
    if (type !== "control_request" || request?.subtype !== "can_use_tool") return undefined;
    const response = { behavior: "allow", updatedInput: answer(request.tool_name, request.input) };
    return JSON.stringify({ type: "control_response", response: { subtype: "success", request_id, response } });
  };
}

interface ClientRecord {
  readonly type: string;
  readonly subtype?: string;
}

function isHookResponse(record: ClientRecord): record is HookResponse {
  return record.type === "system" && record.subtype === "hook_response";
}

function parseRecords(outcome: ProgramOutcome): ClientRecord[] {
  try {
    const lines = outcome.stdout.split("\n").filter((line) => line.trim() !== "");
    return lines.map((line) => JSON.parse(line) as ClientRecord);
  } catch (error) {
    throw new Error(`The client printed something that is not JSON: ${describeOutcome(outcome)}`, { cause: error });
  }
}

function describeOutcome({ exitCode, stdout, stderr }: ProgramOutcome): string {
  return `exit ${exitCode}\nstdout: ${stdout}\nstderr: ${stderr}`;
}
