import type { PolicyContext, SettledContext } from "../../core/policy.ts";
import { policy } from "../../core/policy.ts";
import { saveRun } from "../../domain/mode/files/exports.ts";
import type { ModeRun } from "../../domain/mode/mode-run.ts";
import type { ModeRuns } from "../../domain/mode/mode-runs.ts";
import { modeOptions } from "../../domain/mode/options.ts";
import { isInTheWay } from "../../domain/mode/start.ts";
import { holdStop, MODE_MESSAGES, PAUSE_MESSAGE, settledFiles, settleStop } from "../../domain/mode/stop-policy.ts";
import { hasRuns, modeRuns } from "../../domain/mode/store.ts";
import { callResult, type EndedCall } from "../../domain/mode/ultraqa/call-result.ts";
import { afterCall } from "../../domain/mode/ultraqa/cycles.ts";
import { detailsOf, withDetails } from "../../domain/mode/ultraqa/details.ts";
import { folderOf, ultraqa } from "../../domain/mode/ultraqa/machine.ts";
import type { FolderLook } from "../../domain/mode/ultraqa/same-folder.ts";
import { commandText, decidedText } from "../../domain/mode/ultraqa/texts.ts";

type Options = { readonly stop: "soft" | "hard" };
type Look = FolderLook & { readonly userHome: string };

export default policy({
  id: "modes/ultraqa",
  summary: "Goes on until one command has certainly succeeded; three equal failures in a row end it.",
  why: "A model that is to make tests pass stops at the first failure, or takes a line that hides the failure for a success.",
  origin: "oh-my-claudecode",
  stage: "delegation",
  options: modeOptions,
  messages: {
    ...MODE_MESSAGES,
    ...PAUSE_MESSAGE,
    decided: "{text}",
    unproven:
      "For ultraqa this call proves nothing, because its result is not certainly that of {command}. Run that in a call of its own, and not in the background.",
  },
  examples: {
    hit: ["a stop before the command has succeeded", "a stop after `npm test || true`"],
    pass: ["a stop without a mode", "a stop of a subagent", "a stop of another session"],
  },
  uses: modeRuns,
  when: hasRuns,
  on: {
    "tool.after": (event, ctx, store) => answer(event, ctx, store),
    "tool.failed": (event, ctx, store) => answer(event, ctx, store),
    "turn.stop": holdStop(ultraqa),
  },
  settled: {
    "tool.after": (event, _fate, ctx, store) => record(event, ctx, store),
    "tool.failed": (event, _fate, ctx, store) => record(event, ctx, store),
    "turn.stop": settleStop(ultraqa),
  },
});

function answer(event: EndedCall, ctx: PolicyContext<"decided" | "unproven", Options>, store: ModeRuns) {
  const { actor, places, read } = ctx;
  const look: Look = {
    project: actor.project,
    userHome: places.userHome,
    realPath: (folder) => ctx.realPath(folder),
    text: (file, about, digest) => read.text(file, about, digest),
  };
  const seen = seenCall(event, store, look, ctx.now());
  if (!seen) return undefined;
  const { result, before, after } = seen;
  if (after !== before) return after.exit_reason === "" ? undefined : ctx.note("decided", { text: decidedText(after) });
  const isOpen = before.exit_reason === "" || before.exit_reason === "env_error";
  if (!isOpen || result.kind !== "unproven" || event.name === "tool.failed") return undefined;
  return ctx.note("unproven", { command: commandText(before) });
}

function record(event: EndedCall, ctx: SettledContext<string, Options>, store: ModeRuns): void {
  const { actor, places, looked } = ctx;
  const look: Look = {
    project: actor.project,
    userHome: places.userHome,
    realPath: (folder) => looked.realPath(folder),
    text: (file, about) => looked.text(file, about),
  };
  const seen = seenCall(event, store, look, ctx.now());
  if (!seen || seen.after === seen.before) return;
  saveRun(store, settledFiles(ctx), { ...withDetails(seen.run, seen.after), seenAt: ctx.now() });
}

/** What the call means for the session's run. A subagent may run the command as well. */
function seenCall(event: EndedCall, store: ModeRuns, look: Look, now: number) {
  const run: ModeRun | undefined = store.get(event.session, "ultraqa");
  if (!run || !isInTheWay(run, now)) return undefined;
  const before = detailsOf(run);
  const wanted = { goal: before.goal_type, command: before.goal_pattern, folder: folderOf(before, look.project) };
  const result = callResult(event, wanted, look);
  return result && { run, result, before, after: afterCall(before, result) };
}
