import type { CliCommand } from "../../command.ts";

/** Actions that only read. */
const LOOKS = new Set(["status", "history"]);

export const modeCommand: CliCommand = {
  name: "mode",
  summary:
    "Modes such as ralph or autopilot: start, see, cancel and resume what keeps an agent at work until it is done.",
  usage: "mode start MODE [REQUEST] | status | cancel|resume [MODE] | history | split | worker N STATE | integrate",
  details: [
    "  start MODE REQUEST            from now on the stops of a session are held until the request is done",
    "  status                        every mode of this project: its state, round, progress, session and request",
    "  cancel [MODE]                 end the modes of a session, or one with those that it started; also from another terminal",
    "  resume [MODE]                 go on with one that is paused, that its session has left or, if named, was cancelled",
    "  history                       modes that have ended, and how",
    "",
    "Modes: ralph, autopilot, ultrapilot, swarm, pipeline, ultraqa, ultrawork, ecomode. A command that an agent runs means",
    "the agent's session; otherwise it means the only session of the project with a mode (start: the only open session), and",
    "asks for --session where there are several. In the agent, type /ralph REQUEST, /cancel or `ralph resume`.",
    "",
    "For the agents of ultrapilot:",
    "  split                         divide the work: JSON on standard input, else the list items of the request",
    "  worker N running              report that the caller is worker N and has begun; also `complete`, and `failed WHY`",
    "  integrate                     see whether all workers are complete and no file was changed by two of them",
  ].join("\n"),
  allowPositionals: true,
  options: {
    session: { type: "string", value: "ID", description: "Which session; the beginning of its id is enough." },
    all: { type: "boolean", description: "cancel: in every session of this project." },
    goal: { type: "string", value: "GOAL", description: "start ultraqa: tests, build, lint, typecheck or custom." },
    command: { type: "string", value: "C", description: "start ultraqa: the command that has to succeed." },
    agents: { type: "string", value: "N", description: "start swarm: how many agents." },
    stages: { type: "string", value: "S", description: "start pipeline: a preset such as review, or `a -> b -> c`." },
    rounds: {
      type: "string",
      value: "N",
      description: "resume: how many more rounds (default: as many as at the start).",
    },
    json: { type: "boolean", description: "Print the result as JSON." },
  },
  changes: ({ args }) => !LOOKS.has(args[0] ?? ""),
  async run(context) {
    const { runMode } = await import("./run.ts");
    return runMode(context, { now: Date.now, input: process.stdin });
  },
};
