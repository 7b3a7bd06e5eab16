import path from "node:path";
import { ACTIVITIES, type Activity } from "./store.ts";

/** Shows what an agent is doing, in tmux or on the desktop. */
export const SHOW_JOB = "session/show-activity";

export interface ShowOrder {
  readonly agent: string;
  readonly session: string;
  readonly activity: Activity;
  /** What a desktop shall be told; empty for nothing. */
  readonly desktop: string;
}

/** What a pane of a fleet shows; the worst of its panes is what a window shows. */
export const FLEET_STATES = ["error", "unchecked", "working", "checked", "done"] as const;
export type FleetState = (typeof FLEET_STATES)[number];

const STATE_OF: Readonly<Record<Activity, FleetState>> = {
  attention: "unchecked",
  idle: "done",
  working: "working",
  done: "done",
  error: "error",
};

/** Behind panes that are not looked at. */
export const TINTS: Readonly<Record<FleetState, string>> = {
  error: "#3d2020",
  unchecked: "#081a10",
  working: "#080c10",
  checked: "#0a1005",
  done: "#0a0a0a",
};

export const PANE_OPTION = "@pane_notify";
export const WINDOW_OPTION = "@window_notify";
/** Whoever looks after a fleet can wait for this with `tmux wait-for`. */
export const FLEET_CHANNEL = "fleet-notify";
/** These are worth waking somebody for. */
export const WAKING: readonly FleetState[] = ["unchecked", "error", "done"];

export function fleetState(activity: string): FleetState | undefined {
  const known = ACTIVITIES.find((name) => name === activity);
  return known && STATE_OF[known];
}

/** Lower is worse, and more important; a pane that says nothing comes last. */
export function rankOf(state: string): number {
  const rank = (FLEET_STATES as readonly string[]).indexOf(state);
  return rank < 0 ? FLEET_STATES.length : rank;
}

export function worstOf(states: readonly string[]): string {
  return FLEET_STATES.find((name) => states.includes(name)) ?? "";
}

/** A fleet's tmux server has a socket of that name. */
export function isFleet(tmux: string | undefined): boolean {
  return /^fleet(?:-.*)?$/.test(path.basename(tmux?.split(",")[0] ?? ""));
}
