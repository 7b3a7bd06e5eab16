import { HookwrightError } from "../../../core/errors.ts";
import { FleetBoard } from "../../../fleet/board/fleet-board.ts";
import { FleetClient } from "../../../fleet/connection/client.ts";
import { assertConnection } from "../../../fleet/connection/files.ts";
import { projectName } from "../../../fleet/project-name.ts";
import { system } from "../../../system/system.ts";
import { homeOf } from "../../installation/current-build.ts";
import { swarmUsageError } from "./arguments.ts";
import type { SwarmCall } from "./run.ts";
import { countsOf, countsText } from "./show.ts";

/** Is the board meant that all machines of the fleet share? */
export function isInFleet({ options }: Pick<SwarmCall, "options">): boolean {
  if (options.board !== undefined && !options.fleet) throw swarmUsageError("--board needs --fleet.");
  return options.fleet === true;
}

export function openFleetBoard(call: SwarmCall): FleetBoard {
  const { address } = assertConnection(homeOf(call.env).fleet);
  return new FleetBoard(new FleetClient(address), boardName(call));
}

/** One board for each project, unless it was given a name. */
export function boardName({ options, root }: SwarmCall): string {
  const name = typeof options.board === "string" ? options.board.trim() : projectName(root, system);
  if (name === undefined) throw new HookwrightError("HW_FLEET_BOARD", { root });
  if (name === "" || name.length > 300 || /\p{C}/u.test(name)) {
    throw swarmUsageError("The name of a board has 1 to 300 visible characters.");
  }
  return name;
}

export async function initFleetBoard(call: SwarmCall): Promise<void> {
  const { given, options, out } = call;
  if (options.fresh)
    throw swarmUsageError("`init --fleet` does not take --fresh: give a new board another --board NAME.");
  const name = boardName(call);
  const board = openFleetBoard(call);
  try {
    const { isNew, isNewRound } = await board.make(given.agents);
    const overview = await board.overview();
    if (options.json) {
      const { expectedAgents = null } = overview;
      const counts = countsOf(overview);
      out(JSON.stringify({ board: name, created: isNew, newRound: isNewRound, expectedAgents, counts }));
      return;
    }
    out(isNew ? `Made the task board ${name} of the fleet.` : `The fleet has a task board ${name} already.`);
    if (isNewRound) out("The last round is over; its tasks stay on the board, and a new round begins.");
    out(`${countsText(overview)}.`);
  } finally {
    await board.close();
  }
}
