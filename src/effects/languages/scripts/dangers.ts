import { ACTIONS, NETWORK } from "./actions.ts";
import { formatted, HOLE } from "./texts.ts";
import type { ScriptToken } from "./tokens.ts";
import type { Node, Script } from "./tree.ts";
import type { Values } from "./values.ts";
import type { Written } from "./writes.ts";

const SHELL_PROGRAM = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da|k)?sh(?:\s|$)|^(?:cmd|cmd\.exe|powershell|powershell\.exe)$/;
const SOCKETS =
  /(?:^|\.)(?:socket\.socket|socket\.create_connection|net\.(?:connect|createConnection|createServer|Socket)|TCPSocket\.(?:new|open)|TCPServer\.new|fsockopen|IO\.Socket\.INET(?:\.new)?|socket|socket\.(?:tcp4?|tcp6|connect4?))$/;

/** A connection and a shell in one script. */
export function handsOutShell({ nodes, tokens, language }: Script, values: Values): boolean {
  if (language === "awk") {
    if (!tokens.some(({ type, text }) => type === "string" && /^\/inet\d?\/(?:tcp|udp)\//.test(text))) return false;
    // What comes from the connection is run: the second getline reads from a command.
    if (tokens.filter(({ text }) => text === "getline").length > 1) return true;
    return nodes.some((node) => runsUnknown(node, language, values)) || printsToShell(tokens, values);
  }
  const connects =
    nodes.some((node) => node.t === "call" && SOCKETS.test(values.path(node.callee))) ||
    tokens.some(({ type, text }) => (text === "Socket" || text === "TCPSocket") && type === "name");
  if (!connects) return false;
  if (nodes.some((node) => runsUnknown(node, language, values))) return true;
  return tokens.some((token) => token.type !== "name" && SHELL_PROGRAM.test(token.text));
}

/** What comes from the connection is run: nothing of the text is known before. */
function runsUnknown(node: Script["nodes"][number], language: Script["language"], values: Values): boolean {
  if (node.t === "shell") return isBlank(values.text({ ...node, t: "string" }));
  if (node.t !== "call" || !node.args[0] || node.args[0].t === "list") return false;
  const path = values.path(node.callee);
  const runs = language === "lua" ? /^(?:io\.popen|os\.execute)$/.test(path) : isRun(ACTIONS[language].get(path));
  return runs && isBlank(values.text(node.args[0]));
}

function isRun(action: string | undefined): boolean {
  return action === "shell" || action === "run";
}

function isBlank(text: string | undefined): boolean {
  return text === undefined || (text !== "" && text.replaceAll(HOLE, "").trim() === "");
}

/** awk: `print line | "sh"`, also by a name that was given the shell. */
function printsToShell(tokens: readonly ScriptToken[], values: Values): boolean {
  return tokens.some(({ type, text }, at) => {
    const to = tokens[at + 1];
    if (type !== "mark" || text !== "|" || (to?.type !== "string" && to?.type !== "name")) return false;
    return SHELL_PROGRAM.test(values.text({ t: to.type, text: to.text }) ?? "");
  });
}

/** `fetch(…).then(eval)`, `fetch(…).then(t => execSync(t))`: what runs text is handed on, or given what was fetched. */
export function fetchesAndRuns({ nodes, tokens, language }: Script, values: Values): boolean {
  if (language !== "js" || !tokens.some(({ text }) => text === "then")) return false;
  const isParameter = (name: string): boolean =>
    tokens.some(({ text }, at) => text === name && tokens[at + 1]?.text === "=>" && tokens[at - 2]?.text === "then");
  const given = nodes.some(
    (node) =>
      node.t === "call" &&
      node.args[0]?.t === "name" &&
      /^(?:shell|run)$/.test(ACTIONS.js.get(values.path(node.callee)) ?? "") &&
      isParameter(node.args[0].text),
  );
  const handed = nodes.some(
    (node) =>
      node.t === "call" &&
      node.callee.t === "member" &&
      node.callee.name === "then" &&
      node.args.some((arg) => (arg.t === "name" || arg.t === "member") && ACTIONS.js.get(values.path(arg)) === "code"),
  );
  return (handed || given) && nodes.some((node) => node.t === "call" && NETWORK.test(values.path(node.callee)));
}

const BRINGS = /^\s*(?:curl|wget)\s/;
const MAX_STEPS = 20;

/** Whether a value is the output of a download program, through names and methods. */
export function isBrought(start: Node | undefined, language: Script["language"], values: Values): boolean {
  let node = start;
  for (let steps = 0; node && steps < MAX_STEPS; steps++) {
    if (node.t === "shell") return BRINGS.test(values.text({ ...node, t: "string" }) ?? "");
    if (node.t === "name") node = values.lastGiven(node.text);
    else if (node.t === "member" || node.t === "index") node = node.of;
    else if (node.t === "list") node = node.items.length === 1 ? node.items[0] : undefined;
    else if (node.t !== "call") return false;
    else if (isRun(ACTIONS[language].get(values.path(node.callee)))) {
      const [first, second] = node.args;
      const words: readonly (Node | undefined)[] = first?.t === "list" ? first.items : [first, second];
      return BRINGS.test(`${words.map((word) => values.text(word) ?? HOLE).join(" ")} `);
    } else
      node = node.callee.t === "member" && values.text(node.callee.of) === undefined ? node.callee.of : node.args[0];
  }
  return false;
}

/** Forks in a loop that has no end. */
export function forksForever({ nodes, tokens, language }: Script, values: Values): boolean {
  const forks =
    nodes.some((node) => node.t === "call" && ACTIONS[language].get(values.path(node.callee)) === "fork") ||
    ((language === "perl" || language === "ruby") && tokens.some(({ text }) => text === "fork"));
  if (!forks) return false;
  return tokens.some(
    ({ text }, at) =>
      text === "loop" ||
      (text === "while" && /^(?:1|True|true|\(|fork)$/.test(tokens[at + 1]?.text ?? "")) ||
      (text === "for" && tokens[at + 2]?.text === ";") ||
      // for _ in iter(int, 1), for _ in itertools.count()
      (text === "iter" && tokens[at + 2]?.text === "int") ||
      (text === "count" && tokens[at + 1]?.text === "("),
  );
}

/** In tokens. */
const LONGEST_PRINT = 200;

/** What awk hands to a shell by a pipe: `print "text" | "sh"`, `"text" | getline`. */
export function pipedByAwk({ tokens, language }: Script, values: Values): readonly string[] {
  if (language !== "awk") return [];
  let start = -1;
  const textOf = (token: ScriptToken | undefined): string | undefined =>
    token?.type === "string" || token?.type === "name" ? values.text({ t: token.type, text: token.text }) : undefined;
  return tokens.flatMap((token, at) => {
    if (token.type === "name" && /^printf?$/.test(token.text)) start = at;
    if (token.type !== "mark" || token.text !== "|") return [];
    const [before, after] = [textOf(tokens[at - 1]), textOf(tokens[at + 1])];
    if (tokens[at + 1]?.text === "getline") return before ?? [];
    if (after === undefined) return [];
    if (!SHELL_PROGRAM.test(after)) return [after];
    return [printedByAwk(tokens[start]?.text ?? "", tokens.slice(Math.max(start + 1, at - LONGEST_PRINT), at), textOf)];
  });
}

function printedByAwk(
  name: string,
  tokens: readonly ScriptToken[],
  textOf: (token: ScriptToken) => string | undefined,
): string {
  const texts = tokens
    .filter(({ type, text }) => type !== "mark" || text === ",")
    .map((token) => (token.type === "mark" ? " " : (textOf(token) ?? HOLE)));
  return name === "printf" ? formatted(texts[0] ?? "", []) : texts.join("");
}

/** Files that awk writes by itself: `print x > "file"`, and whether nothing is put in. */
export function writtenByAwk({ tokens, language }: Script): readonly Written[] {
  if (language !== "awk") return [];
  let start = -1;
  return tokens.flatMap((token, at) => {
    if (token.type === "name" && /^printf?$/.test(token.text)) start = at;
    const target = tokens[at + 1];
    if (token.type !== "mark" || token.text !== ">" || target?.type !== "string") return [];
    if (start < 0 || at - start - 1 > LONGEST_PRINT) return [];
    const printed = tokens.slice(start + 1, at);
    if (printed.some(({ type, text }) => type === "mark" && /^[;{}]$/.test(text))) return [];
    const empties = tokens[start]?.text === "printf" && printed.length === 1 && printed[0]?.text === "";
    return [{ target: { t: "string", text: target.text }, empties }];
  });
}
