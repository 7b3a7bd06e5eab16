import type { CliCommand } from "../../command.ts";

const POLL_MS = 500;
/** Actions that only read, or that run every minute; they are not journalled. */
const UNRECORDED = new Set(["status", "watch", "heartbeat"]);

export const swarmCommand: CliCommand = {
  name: "swarm",
  summary: "A task board that several agents share: add tasks, claim them, and complete them, each exactly once.",
  usage:
    "swarm init | add TEXT | claim | heartbeat | complete ID | fail ID | release ID | retry ID | end | status | watch",
  details: [
    "  init                          make the board of this project (.omc/state/swarm-tasks.db); keeps one that exists",
    "  add TEXT                      add a task; with --after ID it waits until that task is done",
    "  claim --agent NAME            take the next task: the highest priority first, then the order of adding",
    "  heartbeat --agent NAME        keep what you hold for another 5 minutes; send one every minute",
    "  complete ID --agent NAME      the task is done; --result TEXT says what came of it",
    "  fail ID --agent NAME          give the task up; --why TEXT says why",
    "  release ID --agent NAME       give the task back, for any agent to claim",
    "  retry ID                      make a failed task pending again",
    "  end                           end the swarm: every claimed task is pending again, and no task can be claimed",
    "  status                        every task, and who holds it",
    "  watch                         print changes as they come, until Ctrl-C",
    "",
    "An ID is `task-7` or `7`. A claim is a lease of 5 minutes: without a heartbeat the task is pending again, and what its",
    "former agent says about it later is refused. `claim` prints the claim's number; with --epoch it counts for that claim",
    "alone, which tells apart agents that use the same name.",
    "",
    "When all tasks are completed or failed, or after `end`, `init` begins a new round: what is on the board stays, and open",
    "tasks can be claimed. `init --fresh` moves the tasks to swarm-tasks-TIME.db beside the board and begins with none; it",
    "is refused while a task is claimed. Programs of oh-my-claudecode read swarm-summary.json and swarm-active.marker beside",
    "the board; they are written after each change, and the marker exists while a swarm that was not ended has open tasks.",
    "",
    "With --fleet every action is about a board on the server of the fleet, which agents on all its machines share: that of",
    "the project's remote repository, or the one that --board names. `hookwright fleet connect` comes first.",
  ].join("\n"),
  allowPositionals: true,
  options: {
    agent: { type: "string", value: "NAME", description: "The name of the agent that claims or holds the task." },
    agents: { type: "string", value: "N", description: "init: how many agents are meant to work on the board." },
    fresh: {
      type: "boolean",
      description: "init: move the tasks of the board to a file beside it, and begin with none.",
    },
    after: {
      type: "string",
      multiple: true,
      value: "ID",
      description: "add: only after this task is done; may be given several times.",
    },
    priority: {
      type: "string",
      value: "P",
      description: "add: a whole number; higher ones are claimed first (default 0).",
    },
    epoch: {
      type: "string",
      value: "N",
      description: "complete, fail, release: the number of the claim (default: your newest claim of the task).",
    },
    result: { type: "string", value: "TEXT", description: "complete: what came of it." },
    why: { type: "string", value: "TEXT", description: "fail: why it could not be done." },
    fleet: { type: "boolean", description: "The board that all machines of the fleet share." },
    board: { type: "string", value: "NAME", description: "With --fleet: the name of the board." },
    json: {
      type: "boolean",
      description: "Print the result as JSON; watch: first the counts, then one object for each change.",
    },
  },
  changes: ({ args }) => !UNRECORDED.has(args[0] ?? ""),
  async run(context) {
    const { runSwarm } = await import("./run.ts");
    const stop = new AbortController();
    if (context.args[0] === "watch") for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => stop.abort());
    return runSwarm(context, { now: Date.now, pollMs: POLL_MS, signal: stop.signal });
  },
};
