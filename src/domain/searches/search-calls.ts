import type { EventOf } from "../../core/event.ts";
import { shellOf } from "../../effects/shell-of-event.ts";
import type { Command } from "../../shell/command.ts";

const SEARCH_TOOLS = new Set(["Grep", "Glob", "WebFetch", "WebSearch"]);
/** Tools of MCP servers that search code, documentation or the web, whatever name the server is registered under. */
const SERVER_TOOL = /^mcp__.+__[\w-]*(?:search|resolve-library-id|get-library-docs|query-docs)/i;
const SEARCH_PROGRAMS = new Set(["grep", "egrep", "fgrep", "rg", "ag", "ack", "ugrep", "find", "fd", "fdfind", "bfs"]);

/** Does the call look for something? The client's own search tools are not part of all its versions. */
export function isSearch(event: EventOf<"tool.after">, userHome: string): boolean {
  const { name, kind } = event.tool;
  if (kind === "shell") return shellOf(event, userHome).commands.some(searches);
  return SEARCH_TOOLS.has(name) || SERVER_TOOL.test(name);
}

/** What filters another program's output, or starts a program for each file, is no search of its own. */
function searches({ program, args, upstream, wraps }: Command): boolean {
  if (program === undefined || upstream.length > 0 || wraps) return false;
  return SEARCH_PROGRAMS.has(program) || (program === "git" && args.find((arg) => !arg?.startsWith("-")) === "grep");
}
