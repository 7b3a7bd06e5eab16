import type { MachineCard } from "../../../src/daemon/dashboard/api.ts";
import { counted } from "../../frame/wording.ts";
import { Since } from "../../parts/small.tsx";

/** Of a fleet; nothing without one. */
export function Machines({ machines }: { machines: readonly MachineCard[] }) {
  if (machines.length === 0) return null;
  return (
    <ul class="machines" aria-label="Machines">
      {machines.map((machine) => (
        <li key={machine.name} class={machine.isStale ? "is-stale" : ""}>
          <b>{machine.name}</b> {counted(machine.sessions, "session")}
          {machine.isStale && (
            <>
              , not seen for <Since at={machine.lastSeen} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
