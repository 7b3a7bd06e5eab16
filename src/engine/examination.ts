import type { Reply } from "../core/frame.ts";
import type { Judgement } from "./decide/judge.ts";
import type { Prepared } from "./receive/prepare.ts";

/** What an engine says of an event that it only looks at. */
export interface Examination {
  readonly prepared: Prepared;
  /** What lets everything pass, whatever the policies say; else empty. */
  readonly switchedOff: string;
  readonly reply: Reply;
  readonly judgement: Judgement | undefined;
  readonly facts: Readonly<Record<string, unknown>>;
}
