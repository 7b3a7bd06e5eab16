import path from "node:path";
import type { EventOf } from "../../core/event.ts";
import { type PolicyContext, policy } from "../../core/policy.ts";
import { namedDirectives } from "../../domain/session/directives.ts";
import { IDENTITY_ENV } from "../../domain/session/sessions.ts";
import { isOpenSession } from "../../domain/session/state.ts";
import { sessions } from "../../domain/session/store.ts";
import { joinedExcerpts } from "../../domain/touched/excerpts.ts";
import { newReadmes } from "../../domain/touched/readmes.ts";
import { targetOf } from "../../domain/touched/rules.ts";
import { listIn, sharedMemory } from "../../domain/touched/shared-memory.ts";
import { told } from "../../domain/touched/told.ts";
import { touchedFile } from "../../domain/touched/touched-file.ts";
import type { VisitedFile } from "../../domain/touched/visited-folders.ts";

/** Leaves room beside it for the rules of the same file. */
const ROOM = 1_200;
const NOTHING: ReadonlySet<string> = new Set();

export default policy({
  id: "enhancement/directory-readme-injector",
  summary: "Tells the agent the README files of a folder and of those above it, when it first touches the folder.",
  why: "What a folder is for is said in its README, and an agent that opens one source file directly does not see it.",
  origin: "oh-my-claudecode",
  stage: "advice",
  messages: {
    readmes: "About the folder of {file}:\n\n{text}",
    unusable: "Not shown to the agent: {files}. A README has to be a readable UTF-8 text of at most 256 KB.",
  },
  examples: {
    hit: ["the first Read of a file in `src/` where `src/README.md` is"],
    pass: ["the second one", "a README that the agent has read", "a README that `session/discovery` names"],
  },
  reads: { env: IDENTITY_ENV },
  uses: told,
  on: {
    "tool.after"(event, ctx, store) {
      const { agentId, cwd } = event;
      const file = touchedFile(event);
      if (file === undefined || store.has(agentId, "readme-folder", path.dirname(file))) return undefined;
      const target = targetOf(file, ctx.actor.project, ctx);
      if (!target) return undefined;
      const place = { file, cwd, project: target.root, userHome: ctx.places.userHome };
      const named = namedByDiscovery(event, ctx, place);
      const { readmes, unusable } = newReadmes(
        place,
        ctx,
        (real) => store.has(agentId, "readme", real) || store.isLoaded(real) || named.has(real),
      );
      const unreported = unusable.filter((one) => !store.isReported(one));
      const data = {
        file: target.name,
        text: joinedExcerpts(readmes, ROOM - target.name.length),
        paths: JSON.stringify(readmes.map(({ real }) => real)),
      };
      return [
        ...(readmes.length > 0 ? [ctx.note("readmes", data, readmes.map((one) => one.file).join(", "))] : []),
        ...(unreported.length > 0
          ? [ctx.notice("unusable", { files: unreported.join(", "), list: JSON.stringify(unreported) })]
          : []),
      ];
    },
    "instructions.loaded"(event, ctx) {
      ctx.realPath(event.file);
      return undefined;
    },
  },
  settled: {
    "tool.after"(event, fate, ctx, store) {
      const file = touchedFile(event);
      // What found no room is told when the next file is touched.
      if (file === undefined || fate === "dropped") return;
      const { agentId } = event;
      const dir = path.dirname(file);
      if (!store.has(agentId, "readme-folder", dir)) store.add(agentId, "readme-folder", [dir]);
      const real = ctx.looked.realPath(file);
      // An agent that reads a README by itself knows it.
      if (/\/readme\.md$/i.test(file) && !store.has(agentId, "readme", real)) store.add(agentId, "readme", [real]);
      store.add(agentId, "readme", listIn(ctx.said("readmes"), "paths"));
      for (const one of listIn(ctx.said("unusable"), "list")) store.addReported(one);
    },
    ...sharedMemory(["readme", "readme-folder"]),
  },
});

/** The files that the session's own policy tells the agent to read; the same README is not told twice. */
function namedByDiscovery(event: EventOf<"tool.after">, ctx: PolicyContext, place: VisitedFile): ReadonlySet<string> {
  const types = ctx.optionsOf("session/discovery")?.types;
  const found = types === undefined ? undefined : ctx.store(sessions).of(event, ctx.env);
  if (!found || !isOpenSession(found.state)) return NOTHING;
  return namedDirectives(place, found.state, types as readonly string[], ctx);
}
