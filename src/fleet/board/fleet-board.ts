import { randomUUID } from "node:crypto";
import { HookwrightError } from "../../core/errors.ts";
import type {
  Board,
  BoardChange,
  BoardClaim,
  BoardOverview,
  BoardTask,
  ChangeKind,
  NewTask,
} from "../../domain/board/board.ts";
import { notFailed, notHeld, type RecordedClaim, unknownTask } from "../../domain/board/refusals.ts";
import { type FleetClient, isUnreachable } from "../connection/client.ts";

/** A step during which the server is gone is tried again for this long. */
const PATIENCE_MS = 15_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

type Ending = "done" | "failed" | "released";

/** What the functions of the schema answer. */
interface Answer {
  readonly due?: true;
  readonly refused?: "no board" | "unknown" | "not held" | "not failed";
  readonly name?: number;
  readonly task?: TaskJson | null;
  readonly tasks?: readonly TaskJson[];
  readonly claim?: {
    readonly epoch: number;
    readonly end: { readonly kind: ChangeKind; readonly at: number } | null;
  } | null;
  readonly now?: number;
}
type TaskJson = {
  readonly [K in keyof BoardTask]: Exclude<BoardTask[K], undefined> | (undefined extends BoardTask[K] ? null : never);
};

/** A board on the server of the fleet, with leases by the server's clock. */
export class FleetBoard implements Board {
  readonly #client: FleetClient;
  readonly #board: string;
  readonly #patienceMs: number;

  constructor(client: FleetClient, board: string, patienceMs = PATIENCE_MS) {
    this.#client = client;
    this.#board = board;
    this.#patienceMs = patienceMs;
  }

  make(agents: number | undefined): Promise<{ readonly isNew: boolean; readonly isNewRound: boolean }> {
    return this.#again(() => this.#client.call("board_make($1::text, $2::int)", this.#board, agents ?? null));
  }

  async add({ text, priority, after }: NewTask): Promise<BoardTask> {
    const needed = after.map((name) => numberOf(name));
    const token = randomUUID();
    const { task } = await this.#step((board) =>
      this.#client.call(
        "board_add($1::text, $2::text, $3::int, $4::text::int[], $5::text)",
        ...[board, text, priority, `{${needed.join(",")}}`, token],
      ),
    );
    return taskOf(task);
  }

  async claim(agent: string): Promise<BoardTask | undefined> {
    // The server gives the same task again for the same token, so an answer that was lost loses no task.
    const token = randomUUID();
    const { task } = await this.#step((board, swept) =>
      this.#client.call("board_claim($1::text, $2::text, $3::text, $4::boolean)", board, agent, token, swept),
    );
    return task ? taskOf(task) : undefined;
  }

  async renew(agent: string): Promise<readonly BoardTask[]> {
    const { tasks = [] } = await this.#step(
      (board, swept) => this.#client.call("board_renew($1::text, $2::text, $3::boolean)", board, agent, swept),
      { agent },
    );
    return tasks.map(taskOf);
  }

  finish(claim: BoardClaim, result: string | undefined): Promise<BoardTask> {
    return this.#endClaim(claim, "done", result);
  }

  fail(claim: BoardClaim, why: string | undefined): Promise<BoardTask> {
    return this.#endClaim(claim, "failed", why);
  }

  release(claim: BoardClaim): Promise<BoardTask> {
    return this.#endClaim(claim, "released", undefined);
  }

  async retry(name: string): Promise<BoardTask> {
    const number = numberOf(name);
    const call = (board: string): Promise<Answer> => this.#client.call("board_retry($1::text, $2::int)", board, number);
    return taskOf((await this.#step(call, { task: name })).task);
  }

  async end(): Promise<readonly BoardTask[]> {
    const { tasks = [] } = await this.#step((board) => this.#client.call("board_end($1::text)", board));
    return tasks.map(taskOf);
  }

  async overview(): Promise<BoardOverview> {
    type Json = Omit<BoardOverview, "tasks" | "isActive" | "completedAt" | "agents"> & {
      readonly due: boolean;
      readonly tasks: readonly TaskJson[];
      readonly agents: readonly {
        readonly name: string;
        readonly lastHeartbeat: number;
        readonly task: string | null;
      }[];
    };
    const read = (): Promise<Json | null> =>
      this.#again(() => this.#client.call("board_overview($1::text)", this.#board));
    let found = await read();
    if (found?.due) {
      await this.#sweep();
      found = await read();
    }
    if (!found) throw this.#noBoard();
    const tasks = found.tasks.map(taskOf);
    const isOpen = tasks.length === 0 || tasks.some(({ status }) => status === "pending" || status === "claimed");
    const endedAt = found.endedAt ?? undefined;
    const lastEnd = Math.max(...tasks.map((task) => task.endedAt ?? 0));
    return {
      expectedAgents: found.expectedAgents ?? undefined,
      startedAt: found.startedAt,
      completedAt: endedAt ?? (isOpen ? undefined : lastEnd),
      session: found.session,
      isActive: isOpen && endedAt === undefined,
      endedAt,
      tasks,
      agents: found.agents.map(({ task, ...agent }) => ({ ...agent, task: task ?? undefined })),
      sequence: found.sequence,
    };
  }

  async changesAfter(sequence: number): Promise<readonly BoardChange[]> {
    await this.#sweep();
    const changes = await this.#again(() =>
      this.#client.call<readonly BoardChange[]>("board_changes_after($1::text, $2::bigint)", this.#board, sequence),
    );
    return changes.map((change) => ({ ...change, agent: change.agent ?? undefined }));
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #endClaim(claim: BoardClaim, kind: Ending, note: string | undefined): Promise<BoardTask> {
    const number = numberOf(claim.task);
    const { agent, epoch } = claim;
    let isAnswerLost = false;
    const call = async (board: string, swept: boolean): Promise<Answer> => {
      const expression = "board_end_claim($1::text, $2::int, $3::text, $4::int, $5::text, $6::text, $7::boolean)";
      const values = [board, number, agent, epoch ?? null, kind, note ?? null, swept];
      const answer = await this.#client.call<Answer>(expression, ...values).catch((error: unknown) => {
        isAnswerLost ||= isUnreachable(error);
        throw error;
      });
      // The call whose answer was lost has arrived.
      const isDone = isAnswerLost && answer.refused === "not held" && answer.claim?.end?.kind === kind;
      return isDone && answer.task ? { task: answer.task } : answer;
    };
    const answer = await this.#step(call, claim);
    return taskOf(answer.task);
  }

  /** Asks again after taking back expired leases, and after the server was gone. Throws for a refusal. */
  async #step(
    call: (board: string, swept: boolean) => Promise<Answer>,
    about: { readonly task?: string; readonly agent?: string; readonly epoch?: number | undefined } = {},
  ): Promise<Answer> {
    let answer = await this.#again(() => call(this.#board, false));
    if (answer.due) {
      await this.#sweep();
      answer = await this.#again(() => call(this.#board, true));
    }
    if (answer.refused === undefined) return answer;
    if (answer.refused === "no board") throw this.#noBoard();
    if (answer.refused === "unknown") throw unknownTask(about.task ?? `task-${answer.name}`);
    const task = taskOf(answer.task);
    if (answer.refused === "not failed") throw notFailed(task);
    const claim = { task: task.id, agent: about.agent ?? "", epoch: about.epoch };
    throw notHeld(task, claim, recordedClaim(answer.claim), answer.now ?? 0);
  }

  async #sweep(): Promise<void> {
    await this.#again(() => this.#client.call("board_sweep($1::text)", this.#board));
  }

  async #again<T>(work: () => Promise<T>): Promise<T> {
    const end = performance.now() + this.#patienceMs;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        return await work();
      } catch (error) {
        if (!isUnreachable(error) || performance.now() + pause > end) throw error;
        await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
      }
    }
  }

  #noBoard(): HookwrightError {
    return new HookwrightError("HW_FLEET_NO_BOARD", { board: this.#board });
  }
}

/** `task-7` and `7` name the same task; nothing else names one. */
function numberOf(name: string): number {
  const number = /^(?:task-)?(\d{1,9})$/.exec(name)?.[1];
  if (number === undefined) throw unknownTask(name);
  return Number(number);
}

function taskOf(json: TaskJson | null | undefined): BoardTask {
  if (!json) throw new Error("the server has answered without a task");
  const { agent, claimedAt, leaseUntil, endedAt, result, error, ...rest } = json;
  return {
    ...rest,
    agent: agent ?? undefined,
    claimedAt: claimedAt ?? undefined,
    leaseUntil: leaseUntil ?? undefined,
    endedAt: endedAt ?? undefined,
    result: result ?? undefined,
    error: error ?? undefined,
  };
}

function recordedClaim(claim: Answer["claim"]): RecordedClaim | undefined {
  return claim ? { epoch: claim.epoch, end: claim.end ?? undefined } : undefined;
}
