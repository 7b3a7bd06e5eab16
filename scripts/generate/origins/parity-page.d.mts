/** One of their hooks, and what does the same here. */
export interface ParityRow {
  readonly hook: string;
  readonly policies?: readonly string[];
  readonly commands?: readonly string[];
  readonly tests: readonly string[];
  readonly standard?: string;
  /** Why nothing does the same here. */
  readonly nothing?: string;
  readonly differs?: readonly (readonly [what: string, why: string])[];
}

export interface ParityData {
  readonly GROUPS: readonly { readonly group: string; readonly hooks: readonly ParityRow[] }[];
  readonly NOT_YET: readonly string[];
  readonly SUITES: readonly { readonly hook: string; readonly cases: number; readonly files: readonly string[] }[];
}

export interface ParitySources {
  readonly policies: readonly { readonly id: string; readonly on: object; readonly defaultMode?: "off" }[];
  readonly commands: readonly { readonly name: string }[];
  readonly CLAUDE_EVENTS: Readonly<Record<string, string>>;
  readonly PROFILES: readonly string[];
  packsOf(profiles: readonly string[]): ReadonlySet<string>;
}

export function parityPage(sources: ParitySources, data?: ParityData): string;
