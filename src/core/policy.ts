import type * as Zod from "zod";
import type { AnyEvent, EventName, EventOf, ToolKind } from "./event.ts";
import type { Fate, PolicyContext, SettledContext } from "./policy-context.ts";
import type { StageName } from "./stages.ts";
import type { StoreDefinition } from "./store.ts";
import type { Verdict } from "./verdict.ts";

export type {
  Fate,
  ForeignFiles,
  MessageData,
  PersonAnswer,
  Places,
  PolicyContext,
  RanCalls,
  SettledContext,
  YamlRead,
} from "./policy-context.ts";

type Answer = Verdict | readonly Verdict[] | undefined;

export interface PolicyDefinition<M extends string, O extends Zod.ZodObject, S> {
  /** `pack/name`, the same as its path. */
  readonly id: string;
  readonly summary: string;
  /** The accident it prevents. */
  readonly why: string;
  readonly origin?: string;
  readonly stage: StageName;
  /** Off until the configuration gives the policy a mode. Left out: it is enforced where a profile has its pack. */
  readonly defaultMode?: "off";
  /** It starts programs of the project, so a project's configuration cannot turn it on without trust. */
  readonly needsTrust?: true;
  /** Skips the policy without loading or calling it. */
  readonly filter?: { readonly kinds: readonly ToolKind[] };
  /** A thunk, so that no validator is loaded on the hook path. */
  readonly options?: (z: typeof Zod) => O;
  readonly messages: Readonly<Record<M, string>>;
  /** Shown in the documentation and run by the policy's test. */
  readonly examples: { readonly hit: readonly [string, ...string[]]; readonly pass: readonly [string, ...string[]] };
  readonly reads?: { readonly env: readonly string[] };
  readonly uses?: StoreDefinition<S>;
  /**
   * While this returns false, no handler is called. Policies of a pack share one condition, which is asked once; they
   * use the same store and read the same environment.
   */
  readonly when?: When<S>;
  readonly on: {
    readonly [N in EventName]?: (
      event: EventOf<N>,
      ctx: PolicyContext<M, Zod.output<O>>,
      store: S,
    ) => Answer | Promise<Answer>;
  };
  /** The only place that writes: synchronous, in the event's transaction. */
  readonly settled?: {
    readonly [N in EventName]?: (
      event: EventOf<N>,
      fate: Fate,
      ctx: SettledContext<M, Zod.output<O>>,
      store: S,
    ) => void;
  };
}

/** Does the event concern the policies of a pack at all? Decided without reading the outside. */
export type When<S = never> = (event: AnyEvent, ctx: Pick<PolicyContext, "places" | "env">, store: S) => boolean;

/** A policy without its own type parameters, as the engine handles it. */
export type Policy = PolicyDefinition<string, Zod.ZodObject, never>;

export function policy<const M extends string, O extends Zod.ZodObject = Zod.ZodObject, S = undefined>(
  definition: PolicyDefinition<M, O, S>,
): Policy {
  const {
    id,
    summary,
    why,
    origin,
    stage,
    defaultMode,
    needsTrust,
    filter,
    options,
    messages,
    examples,
    reads,
    uses,
    when,
    on,
    settled,
  } = definition;
  // All policies have the same fields in the same order, so that V8 reads them quickly.
  const policy = {
    id,
    summary,
    why,
    origin,
    stage,
    defaultMode,
    needsTrust,
    filter,
    options,
    messages,
    examples,
    reads,
    uses,
    when,
    on,
    settled,
  };
  // The engine only ever hands a policy the options and the store that this very definition declared.
  return policy as unknown as Policy;
}

/** What the generated registry knows of a policy without loading it. */
export interface RegistryEntry {
  readonly id: string;
  readonly pack: string;
  readonly stage: StageName;
  readonly defaultMode?: "off";
  readonly needsTrust?: true;
  readonly events: readonly EventName[];
  readonly kinds?: readonly ToolKind[];
  /** Environment names the policy reads; clients send these and no others. */
  readonly env: readonly string[];
  /** Options when nobody configured any. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly load: () => Promise<{ readonly default: Policy }>;
}
