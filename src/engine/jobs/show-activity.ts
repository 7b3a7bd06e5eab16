import { setTimeout as sleep } from "node:timers/promises";
import type { Ports } from "../../core/ports.ts";
import {
  FLEET_CHANNEL,
  fleetState,
  fleetStateRank,
  isFleetServer,
  PANE_BACKGROUNDS,
  PANE_OPTION,
  type ShowActivityArgs,
  SIGNALLED_STATES,
  WINDOW_OPTION,
  worstFleetState,
} from "../../domain/lifecycle/fleet.ts";
import { lifecycle } from "../../domain/lifecycle/store.ts";
import type { Database } from "../../state/database.ts";
import { openTable } from "../../state/stores.ts";
import { tellDesktop } from "./notifications/desktop.ts";

/** An agent that goes on at once would only flicker. */
const CALM_MS = 200;
const ASK_MS = 2_000;

/** Shows the current activity of an agent, which may be newer than the job that asked for it. */
export async function showActivity(
  order: ShowActivityArgs,
  db: Database,
  ports: Ports,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  if (order.desktop !== "") await tellDesktop(order.desktop, ports, env);
  const socket = env.TMUX?.split(",")[0] ?? "";
  const pane = env.TMUX_PANE ?? "";
  if (!isFleetServer(socket) || !/^%\d+$/.test(pane)) return;
  const tmux = (...args: string[]) => ports.run("tmux", ["-S", socket, ...args], env, ASK_MS);
  const activity = (): string => {
    db.refresh();
    return lifecycle.open(openTable(db, `session:${order.agent}:${order.session}`, lifecycle.name)).activity();
  };
  const before = await tmux("show-options", "-pqv", "-t", pane, PANE_OPTION);
  // The pane is closed, so there is nothing to show it in.
  if (before.code !== 0) return;
  const next = fleetState(activity());
  if (next === undefined) return;
  if (fleetStateRank(next) > fleetStateRank(before.stdout.trim())) {
    await sleep(CALM_MS);
    if (fleetState(activity()) !== next) return;
  }
  await tmux("set-option", "-p", "-t", pane, PANE_OPTION, next);
  await tmux("set-option", "-p", "-t", pane, "window-style", `bg=${PANE_BACKGROUNDS[next]}`);
  const { stdout } = await tmux("list-panes", "-t", pane, "-F", `#{${PANE_OPTION}}`);
  await tmux("set-option", "-w", "-t", pane, WINDOW_OPTION, worstFleetState(stdout.split("\n")));
  if (SIGNALLED_STATES.includes(next)) await tmux("wait-for", "-S", FLEET_CHANNEL);
}
