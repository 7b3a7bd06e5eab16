/** Options of Claude Code that take a value; the word after one of these is not a prompt. */
const WITH_VALUE = new Set(
  [
    "--agent --agents --append-system-prompt --append-system-prompt-file --debug-file --effort --fallback-model --input-format",
    "--json-schema --max-budget-usd --max-turns --model --name -n --output-format --permission-mode",
    "--permission-prompt-tool --plugin-dir --session-id --setting-sources --settings --system-prompt",
    "--system-prompt-file",
  ].flatMap((line) => line.split(" ")),
);
/** Options that take all words up to the next option. */
const WITH_VALUES = new Set(
  "--add-dir --allowedTools --allowed-tools --betas --disallowedTools --disallowed-tools --file --mcp-config --tools".split(
    " ",
  ),
);
const RESUMING = new Set(["--resume", "-r", "--continue", "-c", "--from-pr"]);
/** Options that apply to one conversation only. */
const OF_ONE = new Set(["--session-id", "--fork-session", "--resume-session-at"]);

export function isResuming(args: readonly string[]): boolean {
  return args.some((arg) => RESUMING.has(arg) || arg.startsWith("--resume=") || /^-r./.test(arg));
}

/** The arguments for starting a new conversation. `prompt`, if given, replaces the original prompt. */
export function freshArguments(args: readonly string[], prompt?: string): string[] {
  const kept: string[] = [];
  const prompts: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    const next = args[at + 1];
    const hasValue = next !== undefined && !next.startsWith("-");
    if (arg === "--") {
      prompts.push(...args.slice(at + 1));
      break;
    }
    if (RESUMING.has(arg) || OF_ONE.has(arg) || /^--(?:resume|session-id|from-pr)=/.test(arg)) {
      const takesWord = arg === "--resume" || arg === "-r" || arg === "--session-id" || arg === "--from-pr";
      if (takesWord && hasValue) at++;
    } else if (WITH_VALUES.has(arg)) {
      kept.push(arg);
      while (args[at + 1] !== undefined && !args[at + 1]?.startsWith("-")) kept.push(args[++at] ?? "");
    } else if (WITH_VALUE.has(arg)) {
      kept.push(arg);
      if (next !== undefined) kept.push(args[++at] ?? "");
    } else if (arg.startsWith("-")) kept.push(arg);
    else prompts.push(arg);
  }
  const said = prompt === undefined ? prompts : [prompt];
  // Without `--`, an option that takes several words would take the prompt as its value.
  return said.length === 0 ? kept : [...kept, "--", ...said];
}
