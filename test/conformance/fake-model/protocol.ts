/** What the services have in common that agents ask for the next turn. */
import type { ModelCall } from "../driver.ts";

/** One turn of the model: a text, which ends it, or calls. */
export type ModelTurn = string | readonly ModelCall[];

export interface Request {
  /** Without the query. */
  readonly path: string;
  readonly body: RequestBody;
}

export interface RequestBody {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly unknown[];
}

/** A whole answer, or the events of a stream. */
export type Answer = { readonly json: unknown } | { readonly events: readonly StreamEvent[] };

export interface StreamEvent {
  readonly type?: string;
  readonly data: unknown;
}

export interface Protocol {
  /** Is this a request for a turn? */
  isTurn(path: string): boolean;
  /** Turns into what the service would send. `serial` keeps ids unique. */
  answer(turn: ModelTurn, request: Request, serial: number): Answer;
}

export function callsOf(turn: ModelTurn): readonly ModelCall[] {
  return typeof turn === "string" ? [] : turn;
}

export function argumentsOf({ input }: ModelCall): string {
  return typeof input === "string" ? JSON.stringify({ input }) : JSON.stringify(input);
}
