import { shell, toolBefore } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./other-tools.ts";

const question = { says: "ask", message: "question" } as const;
const refused = { says: "deny", message: "refused" } as const;
const unknown = (input: Record<string, string>) => toolBefore("mcp__build__run", input);

const written = { "/home/dev/app/src/a.ts": "x" };
const overwrites = toolBefore("mcp__filesystem__write_file", { path: "/home/dev/app/src/a.ts", content: "y" });

testPolicy(policy, {
  hit: [
    {
      name: "SQL for a well-known server",
      event: toolBefore("mcp__postgres__query", { sql: "DROP TABLE users" }),
      ...question,
      text: "`mcp__postgres__query` drops the table users",
    },
    { name: "SQLite", event: toolBefore("mcp__sqlite__write_query", { query: "delete from users" }), ...question },
    {
      name: "quotes in SQL stay SQL",
      event: toolBefore("mcp__pg__query", { sql: "SELECT 'it''s'; TRUNCATE orders -- '" }),
      ...question,
    },
    {
      name: "a command",
      event: toolBefore("mcp__desktop-commander__start_process", { command: "rm -rf ~" }),
      ...refused,
      text: "`rm` ",
    },
    { name: "work thrown away", event: toolBefore("mcp__shell__bash", { command: "git push --force" }), ...refused },
    {
      name: "a command that cannot be read",
      event: toolBefore("mcp__shell__bash", { command: "echo 'oops" }),
      says: "ask",
      message: "unreadable",
    },
    {
      name: "a deletion",
      event: toolBefore("mcp__filesystem__delete_file", { path: "/home/dev/app/src/a.ts" }),
      ...question,
      text: "`mcp__filesystem__delete_file` deletes",
    },
    {
      name: "the home folder",
      event: toolBefore("mcp__my-filesystem__delete_directory", { path: "/home/dev" }),
      ...refused,
    },
    {
      name: "a quote in a path stays a path",
      event: toolBefore("mcp__filesystem__delete_file", { path: "a'; echo '" }),
      ...question,
    },
    {
      name: "a repository on a server",
      event: toolBefore("mcp__github__delete_repository", { owner: "me", repo: "x" }),
      says: "ask",
      message: "destroys",
      text: "`mcp__github__delete_repository` deletes a repository",
    },
    {
      name: "a tool that the person declared",
      event: unknown({ script: "rm -rf ~" }),
      options: { tools: [{ tool: "mcp__build__*", command: "script" }] },
      ...refused,
    },
    {
      name: "a server that the person declared",
      event: toolBefore("mcp__warehouse__execute_sql", { sql: "TRUNCATE orders" }),
      options: { tools: [{ server: "warehouse", like: "database" }] },
      ...question,
    },
    {
      name: "a deletion in the project, when snapshots are made",
      event: toolBefore("mcp__filesystem__delete_file", { path: "/home/dev/app/src/a.ts" }),
      options: { onLoss: "snapshot" },
      says: "note",
      message: "kept",
      text: "hookwright undo ID",
    },
    {
      name: "a file that is written over, when snapshots are made",
      event: overwrites,
      files: written,
      options: { onLoss: "snapshot" },
      says: "note",
      message: "kept",
    },
    {
      name: "a command in the project, when snapshots are made",
      event: toolBefore("mcp__shell__bash", { command: "rm -rf src" }),
      options: { onLoss: "snapshot" },
      says: "note",
      message: "kept",
    },
    {
      name: "a database, even when snapshots are made",
      event: toolBefore("mcp__postgres__query", { sql: "DROP TABLE users" }),
      options: { onLoss: "snapshot" },
      ...question,
    },
    {
      name: "a kind that the person set",
      event: toolBefore("mcp__postgres__query", { sql: "DROP TABLE users" }),
      options: { "destroy-database": "deny" },
      ...refused,
    },
  ],
  pass: [
    { name: "a file that is written over", event: overwrites, files: written },
    {
      name: "a file that is written over, where the person has decided about that",
      event: overwrites,
      files: written,
      options: { onLoss: "snapshot", overwrite: "ask" },
    },
    { name: "reading SQL", event: toolBefore("mcp__postgres__query", { sql: "SELECT * FROM users" }) },
    { name: "a word in SQL", event: toolBefore("mcp__postgres__query", { sql: "SELECT 'DROP TABLE users'" }) },
    { name: "a harmless command", event: toolBefore("mcp__shell__bash", { command: "git status" }) },
    { name: "a tool that nobody declared", event: unknown({ script: "rm -rf ~" }) },
    { name: "another field", event: toolBefore("mcp__postgres__query", { note: "DROP TABLE users" }) },
    { name: "another tool of the server", event: toolBefore("mcp__github__get_file", { path: "a" }) },
    { name: "a field of another type", event: toolBefore("mcp__postgres__query", { sql: 5 }) },
    {
      name: "an allowed loss",
      event: toolBefore("mcp__pg__query", { sql: "DROP TABLE scratch" }),
      options: { allow: [{ kind: "destroy-database", target: "scratch", reason: "made for this" }] },
    },
    { name: "the shell has a guard of its own", event: shell("rm -rf ~") },
  ],
});
