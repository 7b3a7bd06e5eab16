/**
 * What one policy says of one event. Passing is silence: there is no "allow", because an allow would skip the
 * agent's own permission prompt.
 */
export type VerdictKind =
  | "deny"
  | "ask"
  | "note"
  | "notice"
  | "hold"
  | "release"
  | "rewrite"
  | "approve"
  | "wait"
  | "end"
  | "watch"
  | "environment";

/** Does trying the same thing again help? Told to the model with every denial. */
export type Retry = "never" | "once" | `after ${string}`;

interface Worded<K extends VerdictKind> {
  readonly kind: K;
  /** Which of the policy's messages this is, and what was filled into it. */
  readonly message: string;
  readonly data: Readonly<Record<string, string | number>>;
  readonly text: string;
}

export interface DenyVerdict extends Worded<"deny"> {
  readonly retry: Retry;
}
export interface AskVerdict extends Worded<"ask"> {
  /** The question becomes a note once a snapshot of this was made. */
  readonly unlessKept?: SnapshotRequest;
}

/** What a command could delete or overwrite. */
export interface LossScope {
  /** Everything has to be in one of these folders. */
  readonly within: readonly string[];
  /** Absolute. */
  readonly paths: readonly string[];
  /** Absolute, and a pattern of the shell after the last slash. */
  readonly patterns: readonly string[];
  /** Where git itself would do it, and what it may take besides changes to tracked files. */
  readonly git?: {
    readonly folder: string;
    /** Files of the work tree change, not only where branches point to. */
    readonly tree: boolean;
    readonly untracked: boolean;
    readonly ignored: boolean;
    /** The ignored files it names; all when empty. */
    readonly only: readonly string[];
    /** Untracked folders go as a whole, empty ones too. */
    readonly folders: boolean;
    /** What lies in submodules goes as well. */
    readonly submodules: boolean;
    /** Full names of refs that it may move, delete or make; branches that are there are always kept. */
    readonly refs: readonly string[];
  };
}

export interface SnapshotRequest {
  /** The policy's message for the note; `id`, `files` and `size` are filled in. */
  readonly message: string;
  readonly scope: LossScope;
  /** Names of folders that can be made again. */
  readonly folders: readonly string[];
  readonly maxBytes: number;
  readonly maxMs: number;
}
/** Context for the model. */
export interface NoteVerdict extends Worded<"note"> {
  /** Where the whole text is, should it have to be cut. */
  readonly pointer?: string;
}
/** A line for the person. */
export interface NoticeVerdict extends Worded<"notice"> {
  /** Sent only if the stop passes; dropped when another policy holds it. */
  readonly ifPassed?: boolean;
  /** Not a line in the conversation: the terminal itself notifies the person, where the agent can make it do so. */
  readonly isAlert?: boolean;
}
export interface HoldVerdict extends Worded<"hold"> {
  /** Soft goes out as context, hard as a block. */
  readonly strength: "soft" | "hard";
  /** Lower is more important; the first supplies the headline. */
  readonly rank: number;
  /** Anything that changes while work goes on. Unchanged for two continuations: the hold is dropped. */
  readonly progress: string;
  /** How the model or the person gets out of the hold. */
  readonly exit: string;
  /** Productive continuations per human prompt. */
  readonly limit: number;
  /** Its policy lets the stop after this one pass. When all holds are of this kind, the model is told so. */
  readonly once?: boolean;
}
/** Takes back the holds of the policies it names, in this event. */
export interface ReleaseVerdict extends Worded<"release"> {
  readonly policies: readonly string[];
}
export interface RewriteVerdict extends Worded<"rewrite"> {
  /** Replaces, as a whole, what the event is about: tool input or output, shown text, a worktree's path, an answer. */
  readonly value: unknown;
}
/** Approves for the person, or allows a denied call to be tried again. Only an explicit list of the person may do this. */
export type ApproveVerdict = Worded<"approve">;
/** The agent waits for its answer, because the person may answer elsewhere. The text says what guards ask about the call. */
export type WaitVerdict = Worded<"wait">;
/** Ends the turn after this event. */
export type EndVerdict = Worded<"end">;
/** Files whose changes the agent shall report from now on. */
export interface WatchVerdict extends Worded<"watch"> {
  readonly paths: readonly string[];
}
/** Variables for the agent's later shell commands. */
export interface EnvironmentVerdict extends Worded<"environment"> {
  readonly variables: Readonly<Record<string, string>>;
}

export type Verdict =
  | DenyVerdict
  | AskVerdict
  | NoteVerdict
  | NoticeVerdict
  | HoldVerdict
  | ReleaseVerdict
  | RewriteVerdict
  | ApproveVerdict
  | WaitVerdict
  | EndVerdict
  | WatchVerdict
  | EnvironmentVerdict;

const KINDS: Record<VerdictKind, 1> = {
  deny: 1,
  ask: 1,
  note: 1,
  notice: 1,
  hold: 1,
  release: 1,
  rewrite: 1,
  approve: 1,
  wait: 1,
  end: 1,
  watch: 1,
  environment: 1,
};

const isText = (value: unknown): value is string => typeof value === "string";
const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** A policy may return anything; only a whole verdict counts, the rest is a policy error. */
export function isVerdict(value: unknown): value is Verdict {
  if (typeof value !== "object" || value === null || !("kind" in value) || !isText(value.kind)) return false;
  if (!(value.kind in KINDS)) return false;
  if (!("text" in value) || !isText(value.text) || !("message" in value) || !isText(value.message)) return false;
  if (value.kind === "hold") {
    const hold = value as Partial<HoldVerdict>;
    return (
      (hold.strength === "soft" || hold.strength === "hard") &&
      Number.isFinite(hold.rank) &&
      Number.isFinite(hold.limit) &&
      isText(hold.progress) &&
      isText(hold.exit)
    );
  }
  if (value.kind === "release") return isTextList((value as Partial<ReleaseVerdict>).policies);
  if (value.kind === "watch") return isTextList((value as Partial<WatchVerdict>).paths);
  if (value.kind === "environment") {
    const { variables } = value as Partial<EnvironmentVerdict>;
    return typeof variables === "object" && variables !== null && Object.values(variables).every(isText);
  }
  return true;
}
