/** Variables that say that nobody sits in front of the agent, or would see a question. */
export const HEADLESS_ENV = [
  "CI",
  "GITHUB_ACTIONS",
  "CLAUDE_CODE_RUN",
  "CLAUDE_CODE_NON_INTERACTIVE",
  "CLAUDE_CODE_SESSION_ATTENDED",
  "CLAUDE_CODE_ENTRYPOINT",
];

/** What keeps programs from asking, from opening an editor and from paging. */
export const QUIET_VARIABLES: Readonly<Record<string, string>> = {
  CI: "true",
  DEBIAN_FRONTEND: "noninteractive",
  GIT_TERMINAL_PROMPT: "0",
  GCM_INTERACTIVE: "never",
  HOMEBREW_NO_AUTO_UPDATE: "1",
  GIT_EDITOR: ":",
  EDITOR: ":",
  VISUAL: "",
  GIT_SEQUENCE_EDITOR: ":",
  GIT_MERGE_AUTOEDIT: "no",
  GIT_PAGER: "cat",
  PAGER: "cat",
  npm_config_yes: "true",
  PIP_NO_INPUT: "1",
  YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
};

type Env = (name: string) => string | undefined;

/** Runs the agent without a person, for example with `-p`, by a program, or in continuous integration? */
export function isHeadless(env: Env): boolean {
  if (["CI", "GITHUB_ACTIONS", "CLAUDE_CODE_RUN", "CLAUDE_CODE_NON_INTERACTIVE"].some((name) => isOn(env(name))))
    return true;
  // Newer clients say it themselves; older ones only say how they were started.
  const attended = env("CLAUDE_CODE_SESSION_ATTENDED") ?? "";
  return attended === "" ? /^sdk-/.test(env("CLAUDE_CODE_ENTRYPOINT") ?? "") : attended === "0";
}

function isOn(value: string | undefined): boolean {
  return /^(?:true|1)$/i.test(value ?? "");
}

/** Those variables that are neither set nor in the file that the agent's shell reads. */
export function missingVariables(env: Env, exported: readonly string[]): Record<string, string> {
  const missing = Object.entries(QUIET_VARIABLES).filter(
    ([name]) => env(name) === undefined && !exported.includes(name),
  );
  return Object.fromEntries(missing);
}

/** The names that a file of `export` lines sets. */
export function exportedNames(text: string): string[] {
  return [...text.matchAll(/^\s*(?:export|declare -x)\s+(\w+)=/gm)].map(([, name = ""]) => name);
}
