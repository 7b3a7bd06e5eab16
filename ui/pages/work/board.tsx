import type { WorkTask } from "../../../src/daemon/dashboard/api.ts";
import { Mark } from "../../parts/mark.tsx";
import { TaskList } from "./task-list.tsx";

/** One column for each state. */
export function Board({ tasks }: { tasks: readonly WorkTask[] }) {
  return (
    <div class="board">
      {[...new Set(tasks.map(({ state }) => state))].map((state) => {
        const inState = tasks.filter((task) => task.state === state);
        return (
          <section aria-label={state}>
            <h3>
              <Mark word={state} /> <span class="number">{inState.length}</span>
            </h3>
            <TaskList tasks={inState} isColumn />
          </section>
        );
      })}
    </div>
  );
}
