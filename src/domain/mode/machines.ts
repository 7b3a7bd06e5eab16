import { autopilot } from "./autopilot/machine.ts";
import type { ModeMachine } from "./machine.ts";
import type { ModeName } from "./modes.ts";
import { ecomode } from "./parallel/ecomode.ts";
import { ultrawork } from "./parallel/ultrawork.ts";
import { pipeline } from "./pipeline/machine.ts";
import { ralph } from "./ralph/machine.ts";
import { swarm } from "./swarm/machine.ts";
import { ultrapilot } from "./ultrapilot/machine.ts";
import { ultraqa } from "./ultraqa/machine.ts";

const MACHINES: Readonly<Record<ModeName, ModeMachine>> = {
  ralph,
  autopilot,
  ultrapilot,
  swarm,
  pipeline,
  ultraqa,
  ultrawork,
  ecomode,
};

export function machineOf(mode: ModeName): ModeMachine {
  return MACHINES[mode];
}
