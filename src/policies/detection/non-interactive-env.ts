import { policy } from "../../core/policy.ts";
import {
  exportedNames,
  HEADLESS_ENV,
  isHeadless,
  missingVariables,
  QUIET_VARIABLES,
} from "../../domain/terminal/headless.ts";
import { toldOfTerminal } from "../../domain/terminal/store.ts";
import { type TerminalKind, terminalUses } from "../../domain/terminal/terminal-uses.ts";
import { shellOf } from "../../effects/shell-of-event.ts";

const FILE = "CLAUDE_ENV_FILE";
const KINDS: readonly TerminalKind[] = ["editor", "pager", "rebase", "patch"];

export default policy({
  id: "detection/non-interactive-env",
  summary: "Keeps programs from waiting for a person who is not there.",
  why: "A command that asks a question, opens an editor or pages its output hangs, because the agent's shell has no terminal.",
  origin: "oh-my-claudecode",
  stage: "advice",
  messages: {
    variables: "Nobody is there to answer, so these are set for the agent's shell: {names}.",
    editor:
      "{name} waits for keys, and this shell has no terminal. Change the file with a tool for edits, or with sed.",
    pager:
      "{name} shows its text page by page to a person, and this shell has no terminal. Print the part that is needed, with cat, head or sed -n.",
    rebase:
      "{name} opens an editor with the list of commits, and this shell has no terminal. Give the list by GIT_SEQUENCE_EDITOR, or do without it: --autosquash, --onto, git cherry-pick.",
    patch:
      "{name} asks about each change, and this shell has no terminal. Name the files, or write the wanted changes as a patch for git apply --cached.",
  },
  examples: {
    hit: ["`vim src/a.ts`", "`git add -p`", "`git rebase -i HEAD~3`", "the start of a session with `-p`"],
    pass: ["`echo vim`", "`git commit -m 'use git add -p'`", "`man git | head`", "the same program again"],
  },
  reads: { env: [FILE, ...HEADLESS_ENV, ...Object.keys(QUIET_VARIABLES)] },
  uses: toldOfTerminal,
  on: {
    "session.start"(_event, ctx) {
      const file = ctx.env(FILE) ?? "";
      if (file === "" || !isHeadless(ctx.env)) return undefined;
      // A session that is resumed or compacted has the same file again.
      const variables = missingVariables(ctx.env, ctx.read.text(file, "exported", exportedNames) ?? []);
      const names = Object.keys(variables).join(", ");
      return names === "" ? undefined : ctx.environment("variables", variables, { names });
    },
    "tool.before"(event, ctx, store) {
      const uses = terminalUses(shellOf(event, ctx.places.userHome).commands);
      return KINDS.flatMap((kind) => {
        const use = store.has(kind) ? undefined : uses.find((one) => one.kind === kind);
        return use ? ctx.note(kind, { name: use.name }) : [];
      });
    },
  },
  settled: {
    "tool.before"(_event, fate, ctx, store) {
      if (fate === "dropped") return;
      for (const kind of KINDS) if (ctx.said(kind)) store.add(kind);
    },
  },
});
