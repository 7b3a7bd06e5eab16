import { useState } from "preact/hooks";
import type { WorkTask } from "../../../src/daemon/dashboard/api.ts";
import { Mark } from "../../parts/mark.tsx";

/** As many as a person reads at once; the others on demand, so that a long plan does not make a slow page. */
const STEP = 50;

export function TaskList({ tasks, isColumn }: { tasks: readonly WorkTask[]; isColumn?: boolean }) {
  const [most, setMost] = useState(STEP);
  return (
    <>
      <ul class="rows">
        {tasks.slice(0, most).map((task) => (
          <li key={task.id}>
            {!isColumn && <Mark word={task.state} />}
            <code class="muted">{task.id}</code>
            <span class="grow">{task.text}</span>
            <span class="muted">{task.owner}</span>
          </li>
        ))}
      </ul>
      {tasks.length > most && (
        <button type="button" onClick={() => setMost(most + STEP)}>
          Show more
        </button>
      )}
    </>
  );
}
