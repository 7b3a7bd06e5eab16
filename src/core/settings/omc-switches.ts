import type { EventName } from "../event.ts";
import { type ProfileName, packsOf } from "./profiles.ts";

/** The switches of oh-my-claudecode, which keep working: all of its hooks, or some by name. */
export const OMC_SWITCHES = ["DISABLE_OMC", "OMC_SKIP_HOOKS"] as const;
export type OmcSwitch = (typeof OMC_SWITCHES)[number];

const PROFILE: ProfileName = "omc";
const omcPacks = packsOf([PROFILE], true);

/** There one hook of this name holds the stops for all modes; here each mode has a policy that does. */
const HOLDS_FOR_ALL = "persistent-mode";
const HOLDS = { pack: "modes", event: "turn.stop" } as const;

/** Which switch, if any, turns this policy off for this event; without an event: for every event. */
type SwitchedOff = (id: string, event?: EventName) => OmcSwitch | undefined;

/** Which policies a person has switched off by the environment; undefined when none. */
export function switchedOffByOmc(env: Readonly<Record<string, string | undefined>>): SwitchedOff | undefined {
  const isDisabled = ["1", "true"].includes(env.DISABLE_OMC?.trim().toLowerCase() ?? "");
  const skipped = (env.OMC_SKIP_HOOKS ?? "").split(",").map((name) => name.trim());
  const names = new Set(skipped.filter((name) => name !== ""));
  if (!isDisabled && names.size === 0) return undefined;
  return (id, event) => {
    const [pack = "", name = ""] = id.split("/");
    if (!omcPacks.has(pack)) return undefined;
    if (isDisabled) return "DISABLE_OMC";
    const isHold = pack === HOLDS.pack && event === HOLDS.event;
    return names.has(name) || (isHold && names.has(HOLDS_FOR_ALL)) ? "OMC_SKIP_HOOKS" : undefined;
  };
}
