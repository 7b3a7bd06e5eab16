/** Which fields of a tool's input hold a shell command, SQL, a written, deleted or read path, or a URL. */
export interface DeclaredFields {
  readonly command?: string | undefined;
  readonly sql?: string | undefined;
  readonly write?: string | undefined;
  readonly delete?: string | undefined;
  readonly read?: string | undefined;
  readonly url?: string | undefined;
  /** What the call destroys for good, whatever its input. */
  readonly destroys?: string | undefined;
}

/** Tools of widely used MCP servers, by kind of server. A server may be registered under any name; tool names are fixed. */
export const KNOWN_SERVERS: Readonly<Record<string, Readonly<Record<string, DeclaredFields>>>> = {
  filesystem: {
    write_file: { write: "path" },
    edit_file: { write: "path" },
    create_file: { write: "path" },
    move_file: { write: "destination", delete: "source" },
    delete_file: { delete: "path" },
    delete_directory: { delete: "path" },
    read_file: { read: "path" },
    read_text_file: { read: "path" },
    read_media_file: { read: "path" },
    read_multiple_files: { read: "paths" },
  },
  database: {
    query: { sql: "sql" },
    execute: { sql: "sql" },
    execute_sql: { sql: "sql" },
    execute_query: { sql: "query" },
    run_query: { sql: "query" },
    read_query: { sql: "query" },
    write_query: { sql: "query" },
    create_table: { sql: "query" },
    apply_migration: { sql: "query" },
  },
  shell: {
    execute_command: { command: "command" },
    start_process: { command: "command" },
    run_command: { command: "command" },
    run_terminal_cmd: { command: "command" },
    shell_exec: { command: "command" },
    shell: { command: "command" },
    bash: { command: "command" },
    write_file: { write: "path" },
    edit_block: { write: "file_path" },
    move_file: { write: "destination", delete: "source" },
    read_file: { read: "path" },
  },
  github: {
    delete_file: { destroys: "deletes a file from a repository on GitHub" },
    delete_repository: { destroys: "deletes a repository on GitHub" },
    delete_branch: { destroys: "deletes a branch on GitHub" },
  },
  fetch: {
    fetch: { url: "url" },
    fetch_url: { url: "url" },
    browser_navigate: { url: "url" },
    puppeteer_navigate: { url: "url" },
    navigate_page: { url: "url" },
    firecrawl_scrape: { url: "url" },
  },
};

/** Names under which people usually register these servers. */
export const USUAL_NAMES: readonly (readonly [name: RegExp, server: string])[] = [
  [/filesystem|^fs$|files?$/i, "filesystem"],
  [/postgres|^pg$|sqlite|mysql|mariadb|supabase|neon|database|^db$|sql/i, "database"],
  [/desktop-?_?commander|shell|terminal|command|bash|iterm/i, "shell"],
  [/github/i, "github"],
  [/fetch|playwright|puppeteer|browser|chrome|firecrawl/i, "fetch"],
];

/** The client's own tools whose kind is not shell, edit or read. */
export const OWN_TOOLS: Readonly<Record<string, DeclaredFields>> = { WebFetch: { url: "url" }, Grep: { read: "path" } };
