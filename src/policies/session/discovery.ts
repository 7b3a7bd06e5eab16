import path from "node:path";
import type { EventOf } from "../../core/event.ts";
import { type PolicyContext, policy, type SettledContext } from "../../core/policy.ts";
import { DIRECTIVE_TYPES, discoverDirectives, withDiscovery } from "../../domain/session/directives.ts";
import { filesReadAmong } from "../../domain/session/read-files.ts";
import { IDENTITY_ENV, saveSession } from "../../domain/session/sessions.ts";
import { isOpenSession, type SessionState, textsIn, withFields } from "../../domain/session/state.ts";
import { sessions } from "../../domain/session/store.ts";
import type { VisitedFile } from "../../domain/touched/visited-folders.ts";

export default policy({
  id: "session/discovery",
  summary: "Finds the directive files of folders that are touched for the first time.",
  why: "The rules of a folder are in files beside its code, and an agent that opens one source file directly does not see them.",
  origin: "workflow engine",
  stage: "advice",
  filter: { kinds: ["read", "edit", "shell", "other"] },
  options: (z) =>
    z.object({
      types: z
        .array(z.string().regex(/^[\w-]+$/))
        .default(DIRECTIVE_TYPES)
        .describe("Names of directive files, without `.md`; a session's own `directives` are added.")
        .meta({ tighter: "union" }),
    }),
  messages: {
    found:
      "{dir} and the folders above it have directive files that were not read yet: {files}. Read them before you change anything there.",
    checklist: "Answer these checklists before you close the session: {files}.",
  },
  examples: {
    hit: ["the first Read in a folder with a PITFALLS.md"],
    pass: ["the second Read in the same folder", "Read of ~/.claude/CLAUDE.md", "a Read without a session"],
  },
  reads: { env: IDENTITY_ENV },
  uses: sessions,
  on: {
    "tool.after"(event, ctx, store) {
      const found = store.of(event, ctx.env);
      const place = placeOf(event, ctx);
      if (!found || !place || !isOpenSession(found.state)) return undefined;
      const look = { list: ctx.list, realPath: ctx.realPath };
      const discovery = discoverDirectives(place, found.state, ctx.options.types, look);
      const { dir = "", directives = [], checklists = [] } = discovery ?? {};
      return [
        ...(directives.length > 0 ? [ctx.note("found", { dir, files: directives.join(", ") })] : []),
        ...(checklists.length > 0 ? [ctx.note("checklist", { files: checklists.join(", ") })] : []),
      ];
    },
  },
  settled: {
    "tool.after"(event, _fate, ctx, store) {
      const found = store.of(event, ctx.env);
      if (!found || !isOpenSession(found.state)) return;
      const place = placeOf(event, ctx);
      const discovery = place && discoverDirectives(place, found.state, ctx.options.types, ctx.looked);
      const visited = discovery ? withDiscovery(found.state, discovery) : found.state;
      const read = filesReadAmong(unreadChecklists(visited), event, ctx.places.userHome);
      const next =
        read.length === 0
          ? visited
          : withFields(visited, { readChecklists: [...textsIn(visited, "readChecklists"), ...read] });
      if (next !== found.state) saveSession(store, ctx, found.dir, next);
    },
  },
});

function placeOf(event: EventOf<"tool.after">, ctx: PolicyContext | SettledContext): VisitedFile | undefined {
  if (event.tool.kind !== "read" && event.tool.kind !== "edit") return undefined;
  const file = event.tool.input.file_path;
  if (typeof file !== "string" || file === "") return undefined;
  const { project } = ctx.actor;
  return { file: path.resolve(event.cwd, file), cwd: event.cwd, project, userHome: ctx.places.userHome };
}

function unreadChecklists(state: SessionState): readonly string[] {
  const read = textsIn(state, "readChecklists");
  return textsIn(state, "discoveredChecklists").filter((file) => !read.includes(file));
}
