import path from "node:path";
import type * as Zod from "zod";
import type { EventOf, Json, JsonObject } from "../../core/event.ts";
import { matchesGlob } from "../loss/allowances.ts";
import { type DeclaredFields, KNOWN_SERVERS, OWN_TOOLS, USUAL_NAMES } from "./known-servers.ts";

type Before = EventOf<"tool.before">;

/** One entry of the option `tools`. */
export interface ToolEntry extends DeclaredFields {
  readonly tool?: string | undefined;
  readonly server?: string | undefined;
  readonly like?: string | undefined;
}

/** The call of another server's tool, translated into calls that the guards understand. */
export interface ToolMeaning {
  /** The call as equivalent shell lines, edits and reads. */
  readonly events: readonly Before[];
  readonly urls: readonly string[];
  readonly destroys: string | undefined;
}

const field = (z: typeof Zod, what: string) => z.string().min(1).optional().describe(`The field that ${what}.`);

/** The option of every policy that checks other tools; `safety: { tools: … }` sets it for all of them at once. */
export function toolsOption(z: typeof Zod) {
  return z
    .array(
      z.object({
        tool: z.string().min(1).optional().describe("A tool's name; `*` stands for anything: `mcp__build__*`."),
        server: z.string().min(1).optional().describe("Or the name of a server, together with `like`."),
        like: z
          .enum(Object.keys(KNOWN_SERVERS) as [string, ...string[]])
          .optional()
          .describe("What that server is."),
        command: field(z, "is run by a shell"),
        sql: field(z, "is run by a database"),
        write: field(z, "names a file that is written"),
        delete: field(z, "names a file or folder that is deleted"),
        read: field(z, "names a file that is read"),
        url: field(z, "names an address that is fetched"),
      }),
    )
    .default([])
    .describe("What the tools of other servers do with their input, so that the same guards judge it.")
    .meta({ tighter: "none" });
}

const NOTHING: ToolMeaning = { events: [], urls: [], destroys: undefined };

/** For the client's own tools the call itself; for other tools the translation of their declared fields. */
export function meaningOf(event: Before, entries: readonly ToolEntry[]): ToolMeaning {
  const { tool } = event;
  const declared = tool.kind === "other" ? declarationOf(tool.name, entries) : undefined;
  if (!declared) return tool.kind === "other" ? NOTHING : { ...NOTHING, events: [event] };
  const texts = (name: string | undefined): readonly string[] => (name === undefined ? [] : textsIn(tool.input[name]));
  // Equivalent shell lines, so that the guards for shell commands can judge them.
  const lines = [
    ...texts(declared.command).map((command) => ({ command, isStandIn: false })),
    ...texts(declared.sql).map((sql) => ({ command: `psql -c ${quoted(sql)}`, isStandIn: true })),
    ...texts(declared.delete).map((place) => ({ command: `rm -rf -- ${quoted(place)}`, isStandIn: true })),
  ];
  const writes = texts(declared.write).map((place) => path.resolve(event.cwd, place));
  const reads = texts(declared.read);
  return {
    events: [
      ...lines.map((line) => as(event, "shell", line, [])),
      ...(writes.length > 0 ? [as(event, "edit", { ...tool.input }, writes)] : []),
      ...reads.map((place) => as(event, "read", { file_path: place }, [])),
    ],
    urls: texts(declared.url),
    destroys: declared.destroys,
  };
}

function as(event: Before, kind: "shell" | "edit" | "read", input: JsonObject, writes: readonly string[]): Before {
  return { ...event, tool: { ...event.tool, kind, input }, writes };
}

function declarationOf(name: string, entries: readonly ToolEntry[]): DeclaredFields | undefined {
  const own = entries.find(({ tool }) => tool !== undefined && matchesGlob(tool, name));
  if (own) return own;
  if (Object.hasOwn(OWN_TOOLS, name)) return OWN_TOOLS[name];
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  if (server === undefined || tool === undefined) return undefined;
  const like =
    entries.find((entry) => entry.server === server)?.like ?? USUAL_NAMES.find(([usual]) => usual.test(server))?.[1];
  const tools = like === undefined ? undefined : KNOWN_SERVERS[like];
  return tools && Object.hasOwn(tools, tool) ? tools[tool] : undefined;
}

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  return Array.isArray(value) ? value.filter((one: Json) => typeof one === "string") : [];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
