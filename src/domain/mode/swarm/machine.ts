import { HookwrightError } from "../../../core/errors.ts";
import type { BoardCounts } from "../../../core/ports.ts";
import type { ModeMachine } from "../machine.ts";
import type { ModeRun } from "../mode-run.ts";

const MOST_AGENTS = 64;
const DEFAULT_AGENTS = 3;

/** Several agents share the project's task board until no task is open. */
export const swarm: ModeMachine = {
  mode: "swarm",
  fields: { agent_count: "number" },
  begin({ agents = DEFAULT_AGENTS }) {
    if (!Number.isInteger(agents) || agents < 1 || agents > MOST_AGENTS) {
      const detail = `${agents} is no number of agents from 1 to ${MOST_AGENTS}`;
      throw new HookwrightError("HW_MODE_START", { mode: "swarm", detail, hint: "Start it with `/swarm 3 REQUEST`" });
    }
    return { agent_count: agents };
  },
  until: () => "its task board had tasks and none of them is pending or claimed",
  guide: (run) =>
    [
      `swarm is on with ${agentsOf(run.details.agent_count)} for this request: ${run.request || "the work at hand"}`,
      "Divide the work into independent tasks: `hookwright swarm init`, then `hookwright swarm add TEXT` for each. Start the",
      "agents as subagents in the background. Each claims a task with `hookwright swarm claim --agent NAME --json`, works on",
      "it, runs `hookwright swarm heartbeat --agent NAME` every minute, and ends it with `hookwright swarm complete ID --agent",
      "NAME`, or `fail`, until none is left.",
    ].join("\n"),
  step(run, _stop, reader) {
    const board = reader.board();
    if (!isDone(board)) return { kind: "hold", run, text: openText(board) };
    if (isOlder(board, run)) return { kind: "hold", run, text: olderText(board) };
    const failed = board.failed > 0 ? `, ${board.failed} failed` : "";
    const outcome = board.failed > 0 ? "done with failures" : "done";
    return { kind: "end", outcome, run, text: `${board.done} of ${board.total} tasks are done${failed}.` };
  },
  progress(run, reader) {
    const board = reader.board();
    if (isDone(board) && isOlder(board, run)) return "";
    return board && "total" in board && board.total > 0 ? `${board.done} of ${board.total} tasks` : "";
  },
};

type Counts = Extract<BoardCounts, { total: number }>;

function isDone(board: BoardCounts | undefined): board is Counts {
  return board !== undefined && "total" in board && board.total > 0 && board.pending + board.claimed === 0;
}

/** Was the last task ended before this run began? Then the board is that of an earlier swarm. */
function isOlder({ lastEndedAt }: Counts, { startedAt }: ModeRun): boolean {
  // Programs that write the board without times count.
  return lastEndedAt !== undefined && lastEndedAt < startedAt;
}

function olderText({ done, failed }: Counts): string {
  const ended = failed > 0 ? `${done} done, ${failed} failed` : `${done} done`;
  return `All tasks of the board (${ended}) are older than this swarm. Run \`hookwright swarm init\`, and add the parts of the request with \`hookwright swarm add TEXT\`.`;
}

function openText(board: BoardCounts | undefined): string {
  if (board === undefined)
    return "There is no task board yet. Make it with `hookwright swarm init`, and add tasks to it.";
  if ("unreadable" in board) return `${board.unreadable} \`hookwright swarm init\` makes a new one beside it.`;
  if (board.total === 0)
    return "The task board has no task. Add the parts of the request with `hookwright swarm add TEXT`.";
  if (board.isEnded) return "The swarm was ended while tasks were open. `hookwright swarm init` opens them again.";
  const open = board.open.map(({ id, text, agent }) => `${id}${agent === undefined ? "" : ` (${agent})`} ${text}`);
  const more = board.pending + board.claimed - open.length;
  const list = `${open.join("; ")}${more > 0 ? ` and ${more} more` : ""}`;
  return `${board.pending} tasks are pending and ${board.claimed} claimed: ${list}. Start agents that claim what is pending.`;
}

const agentsOf = (count: unknown): string => (count === 1 ? "1 agent" : `${String(count)} agents`);
