import { HookwrightError } from "../../../core/errors.ts";
import { blockerIn } from "../../../domain/mode/start.ts";
import type { CommandContext } from "../../command.ts";
import { openModeAccess } from "../mode/mode-access.ts";
import { requestText } from "../mode/show.ts";

/** A session whose work another mode directs, such as autopilot, makes no board for a swarm beside it. */
export function assertNoModeInTheWay(context: CommandContext, now: number): void {
  const access = openModeAccess(context, now);
  if (access.caller === "") return;
  const runs = access.read(({ store }) => store.of(access.caller));
  const others = runs.filter((run) => run.mode !== "swarm");
  const blocker = blockerIn(others, "swarm", now);
  if (!blocker) return;
  const data = { mode: "swarm", blocker: blocker.mode, request: requestText(blocker.request) };
  throw new HookwrightError("HW_MODE_BLOCKED", data);
}
