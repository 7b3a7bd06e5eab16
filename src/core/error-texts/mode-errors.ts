/** The part of the error table that is about execution modes and their task boards. */
export const MODE_ERRORS = {
  HW_MODE_STATE: {
    text: "The state of {mode} has fields of a wrong type: {fields}.",
    fix: "Nothing was changed. `hookwright mode cancel {mode}` removes that state.",
  },
  HW_MODE_UNKNOWN: { text: "There is no mode `{name}`.{nearest}", fix: "Modes: {known}." },
  HW_MODE_START: { text: "{mode} was not started: {detail}.", fix: "{hint}." },
  HW_MODE_BLOCKED: {
    text: "{mode} was not started, because {blocker} is on: {request}.",
    fix: "Nothing was changed. End it first with `hookwright mode cancel {blocker}`, or wait until it is done.",
  },
  HW_MODE_NONE: { text: "{detail}", fix: "`hookwright mode status` lists the modes of this project." },
  HW_MODE_WORKERS: { text: "{detail}", fix: "Nothing was changed. {hint}." },
  HW_MODE_SESSION: {
    text: "It is not clear which session is meant: {sessions}.",
    fix: "Nothing was changed. Say which with {options}.",
  },
  HW_SWARM_NONE: {
    text: "There is no task board in {root}.",
    fix: "Make one with `hookwright swarm init`.",
  },
  HW_SWARM_TASK: { text: "{detail}", fix: "Nothing was changed. `hookwright swarm status` lists the tasks." },
  HW_SWARM_NOT_HELD: {
    text: "{detail}",
    fix: "Nothing was changed. Only the agent that holds a task can end it: `hookwright swarm claim --agent NAME` gives it one.",
  },
  HW_SWARM_LATE: {
    text: "{agent} no longer holds {task}: its lease ended {ago} ago without a heartbeat; {now}.",
    fix: "Nothing was changed. Stop the work on this task, claim again, and send `hookwright swarm heartbeat` every minute.",
  },
  HW_SWARM_PLACE: {
    text: "{file} cannot be used for the task board: {detail}.",
    fix: "Nothing was changed. It must be your own and lie inside the project; move it away and run `hookwright swarm init`.",
  },
  HW_SWARM_REPLACED: {
    text: "The task board {file} was removed or replaced by another program.",
    fix: "Nothing was changed. Run the command again; if the board is gone, `hookwright swarm init` makes a new one.",
  },
  HW_SWARM_BUSY: {
    text: "The task board {file} stayed locked for {seconds} seconds.",
    fix: "Nothing was changed. Another program is writing it; run the command again.",
  },
  HW_SWARM_DAMAGED: {
    text: "The task board {file} is damaged: {detail}.",
    fix: "`hookwright swarm init` keeps the damaged file beside it and makes a new, empty board.",
  },
  HW_SWARM_IMPORT: {
    text: "The tasks in {file} could not be imported: {detail}.",
    fix: "The board was made without them, and that file was left as it is. Add its tasks with `hookwright swarm add`.",
  },
} as const;
