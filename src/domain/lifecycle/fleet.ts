import path from "node:path";
import { ACTIVITIES, type Activity } from "./store.ts";

/** The name of the job that shows an agent's activity in tmux or as a desktop notification. */
export const SHOW_ACTIVITY_JOB = "session/show-activity";

export interface ShowActivityArgs {
  readonly agent: string;
  readonly session: string;
  readonly activity: Activity;
  /** The text of the desktop notification; empty for none. */
  readonly desktop: string;
}

/** The state that a tmux pane of a fleet shows, worst first. A window shows the worst state of its panes. */
export const FLEET_STATES = ["error", "unchecked", "working", "checked", "done"] as const;
export type FleetState = (typeof FLEET_STATES)[number];

const STATE_OF: Readonly<Record<Activity, FleetState>> = {
  attention: "unchecked",
  idle: "done",
  working: "working",
  done: "done",
  error: "error",
};

/** Background colours of panes that do not have the focus. */
export const PANE_BACKGROUNDS: Readonly<Record<FleetState, string>> = {
  error: "#3d2020",
  unchecked: "#081a10",
  working: "#080c10",
  checked: "#0a1005",
  done: "#0a0a0a",
};

export const PANE_OPTION = "@pane_notify";
export const WINDOW_OPTION = "@window_notify";
/** A fleet's supervisor waits on this channel with `tmux wait-for`. */
export const FLEET_CHANNEL = "fleet-notify";
/** States that signal the channel. */
export const SIGNALLED_STATES: readonly FleetState[] = ["unchecked", "error", "done"];

export function fleetState(activity: string): FleetState | undefined {
  const known = ACTIVITIES.find((name) => name === activity);
  return known && STATE_OF[known];
}

/** Lower is worse. A pane without a state comes last. */
export function fleetStateRank(state: string): number {
  const rank = (FLEET_STATES as readonly string[]).indexOf(state);
  return rank < 0 ? FLEET_STATES.length : rank;
}

export function worstFleetState(states: readonly string[]): string {
  return FLEET_STATES.find((name) => states.includes(name)) ?? "";
}

/** The socket of a fleet's tmux server is named `fleet` or `fleet-…`. */
export function isFleetServer(tmux: string | undefined): boolean {
  return /^fleet(?:-.*)?$/.test(path.basename(tmux?.split(",")[0] ?? ""));
}
