import { printable } from "../../../config/printable.ts";
import { projectRoot } from "../../../core/actor.ts";
import { HookwrightError } from "../../../core/errors.ts";
import { nearestName } from "../../../core/text/nearest-name.ts";
import type { Board, BoardTask } from "../../../domain/board/board.ts";
import { BUSY_MS, makeBoard, openBoard } from "../../../domain/board/open-board.ts";
import { areStatusFilesCurrent, writeStatusFiles } from "../../../domain/board/status-files.ts";
import { system } from "../../../system/system.ts";
import type { CommandContext } from "../../command.ts";
import { formatTime } from "../journal/time-format.ts";
import { SwarmArguments, swarmUsageError } from "./arguments.ts";
import { assertNoModeInTheWay } from "./beside-mode.ts";
import { boardName, initFleetBoard, isInFleet, openFleetBoard } from "./in-fleet.ts";
import {
  agentsText,
  countsOf,
  countsText,
  ENDED_TEXT,
  isoOf,
  nothingText,
  statusJson,
  statusTable,
  taskJson,
} from "./show.ts";
import { watchBoard } from "./watch.ts";

export interface SwarmParts {
  now(): number;
  readonly pollMs: number;
  /** Ends `watch`. */
  readonly signal: AbortSignal;
}

export interface SwarmCall extends CommandContext, SwarmParts {
  readonly root: string;
  readonly given: SwarmArguments;
}

interface Action {
  /** The options of the action besides --json. */
  readonly options: readonly string[];
  readonly takesWords?: true;
  run(call: SwarmCall): Promise<void>;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  init: { options: ["agents", "fresh"], run: init },
  add: { options: ["after", "priority"], takesWords: true, run: changing(add) },
  claim: { options: ["agent"], run: changing(claim) },
  heartbeat: { options: ["agent"], run: changing(heartbeat) },
  complete: { options: ["agent", "epoch", "result"], takesWords: true, run: changing(complete) },
  fail: { options: ["agent", "epoch", "why"], takesWords: true, run: changing(fail) },
  release: { options: ["agent", "epoch"], takesWords: true, run: changing(release) },
  retry: { options: [], takesWords: true, run: changing(retry) },
  end: { options: [], run: changing(end) },
  status: { options: [], run: onBoard(status) },
  watch: { options: [], run: onBoard((board, call) => watchBoard(board, call)) },
};

export async function runSwarm(context: CommandContext, parts: SwarmParts): Promise<number> {
  const [name = "", ...words] = context.args;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  const names = Object.keys(ACTIONS);
  if (name === "") throw swarmUsageError(`Give an action: ${names.join(", ")}.`);
  if (!action) throw swarmUsageError(`There is no action \`${name}\`.${nearestName(name, names)}`);
  const isEverywhere = (option: string): boolean => ["json", "fleet", "board"].includes(option);
  const odd = Object.keys(context.options).find((one) => !isEverywhere(one) && !action.options.includes(one));
  if (odd !== undefined) throw swarmUsageError(`\`${name}\` does not take --${odd}.`);
  if (!action.takesWords && words.length > 0)
    throw swarmUsageError(`\`${name}\` takes no argument, and got \`${words[0]}\`.`);
  const given = new SwarmArguments(name, words, context.options);
  await action.run({ ...context, ...parts, given, root: projectRoot(context.cwd, system) });
  return 0;
}

function onBoard(work: (board: Board, call: SwarmCall) => Promise<void>): (call: SwarmCall) => Promise<void> {
  return async (call) => {
    const board = isInFleet(call) ? openFleetBoard(call) : openBoard(call.root, call.now);
    try {
      await work(board, call);
    } finally {
      await board.close();
    }
  };
}

/** For an action that changes the board: a refused or failed one has nothing to show in the files, nor has a fleet's. */
function changing(work: (board: Board, call: SwarmCall) => Promise<void>): (call: SwarmCall) => Promise<void> {
  return async (call) => {
    await onBoard(work)(call);
    if (!isInFleet(call)) writeFiles(call);
  };
}

function writeFiles({ root, now, err }: SwarmCall): void {
  try {
    writeStatusFiles(root, { now, uid: system.uid }, BUSY_MS);
  } catch (error) {
    if (!(error instanceof HookwrightError)) throw error;
    tell(error, err);
  }
}

function tell({ message, fix, code }: HookwrightError, err: SwarmCall["err"]): void {
  err(`hookwright: ${message}\n  ${fix}  [${code}]`);
}

async function init(call: SwarmCall): Promise<void> {
  const { root, given, now, options, out, err } = call;
  assertNoModeInTheWay(call, now());
  if (isInFleet(call)) return initFleetBoard(call);
  const made = makeBoard(root, { agents: given.agents, isFresh: options.fresh === true }, { now, uid: system.uid });
  for (const notice of made.notices) tell(notice, err);
  const board = openBoard(root, now);
  const overview = await board.overview().finally(() => board.close());
  writeFiles(call);
  const { file, isNew, isNewRound: newRound, imported, archive = null } = made;
  if (options.json) {
    const { expectedAgents = null } = overview;
    const counts = countsOf(overview);
    out(JSON.stringify({ root, file, created: isNew, newRound, archive, imported, expectedAgents, counts }));
    return;
  }
  out(isNew ? `Made the task board ${file}.` : `The task board ${file} exists already.`);
  if (imported > 0) out(`Imported ${imported} ${imported === 1 ? "task" : "tasks"} of oh-my-claudecode's swarm.`);
  if (archive !== null) out(`Its tasks were moved to ${archive}.`);
  else if (newRound && !isNew) out("The last round is over; its tasks stay on the board, and a new round begins.");
  out(`${countsText(overview)}.`);
}

async function add(board: Board, call: SwarmCall): Promise<void> {
  const { text, priority, after } = call.given;
  const task = await board.add({ text, priority, after });
  answer(call, task, `Added ${task.id}.${after.length > 0 ? ` It comes after ${task.after.join(", ")}.` : ""}`);
}

async function claim(board: Board, call: SwarmCall): Promise<void> {
  const { agent } = call.given;
  const task = await board.claim(agent);
  if (!task) {
    const overview = await board.overview();
    const ended = overview.endedAt !== undefined;
    const counts = countsOf(overview);
    call.out(call.options.json ? JSON.stringify({ task: null, ended, counts }) : nothingText(overview));
    return;
  }
  const until = formatTime(task.leaseUntil ?? 0);
  answer(
    call,
    task,
    `${task.id} (claim ${task.epoch}, lease until ${until}): ${printable(task.text, task.text.length)}`,
  );
}

async function heartbeat(board: Board, { given: { agent }, options, out }: SwarmCall): Promise<void> {
  const tasks = await board.renew(agent);
  if (options.json) out(JSON.stringify({ agent, tasks: tasks.map(taskJson) }));
  else if (tasks.length === 0) out(`${agent} holds no task.`);
  else out(tasks.map(({ id, leaseUntil = 0 }) => `${id}: lease until ${formatTime(leaseUntil)}`).join("\n"));
}

async function complete(board: Board, call: SwarmCall): Promise<void> {
  const { id, agent, epoch } = call.given;
  const task = await board.finish({ task: id, agent, epoch }, call.given.remark("result"));
  answer(call, task, `${task.id} is done.`);
}

async function fail(board: Board, call: SwarmCall): Promise<void> {
  const { id, agent, epoch } = call.given;
  const task = await board.fail({ task: id, agent, epoch }, call.given.remark("why"));
  answer(call, task, `${task.id} has failed. \`hookwright swarm retry ${task.id}\` makes it pending again.`);
}

async function release(board: Board, call: SwarmCall): Promise<void> {
  const { id, agent, epoch } = call.given;
  const task = await board.release({ task: id, agent, epoch });
  answer(call, task, `${task.id} is pending again.`);
}

async function retry(board: Board, call: SwarmCall): Promise<void> {
  const task = await board.retry(call.given.id);
  answer(call, task, `${task.id} is pending again.`);
}

async function end(board: Board, { options, out }: SwarmCall): Promise<void> {
  const released = await board.end();
  const overview = await board.overview();
  if (options.json) {
    const tasks = released.map(({ id, agent = null, epoch }) => ({ id, agent, epoch }));
    out(JSON.stringify({ released: tasks, endedAt: isoOf(overview.endedAt), counts: countsOf(overview) }));
    return;
  }
  const held = released.map(({ id, agent = "" }) => `${id} (${printable(agent)})`);
  out(`The swarm is ended.${held.length > 0 ? ` Pending again: ${held.join(", ")}.` : ""} ${countsText(overview)}.`);
}

async function status(board: Board, call: SwarmCall): Promise<void> {
  const { root, options, columns, out, now } = call;
  const overview = await board.overview();
  const isShared = isInFleet(call);
  if (!isShared && !areStatusFilesCurrent(root, overview)) writeFiles(call);
  if (options.json) {
    out(JSON.stringify(statusJson(root, overview)));
    return;
  }
  out(
    `Task board ${isShared ? `${boardName(call)} of the fleet` : `of ${root}`}\n${countsText(overview)}.\n${agentsText(overview, now())}.`,
  );
  if (overview.endedAt !== undefined) out(`Ended at ${formatTime(overview.endedAt)}. ${ENDED_TEXT}`);
  if (overview.tasks.length > 0) out(`\n${statusTable(overview, now(), columns)}`);
}

function answer({ options, out }: SwarmCall, task: BoardTask, text: string): void {
  out(options.json ? JSON.stringify({ task: taskJson(task) }) : text);
}
