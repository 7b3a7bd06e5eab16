import type { Shown } from "./data/systems.mjs";

export interface Decision {
  readonly id: string;
  readonly title: string;
  readonly wanted: readonly (readonly [who: string, what: string])[];
  readonly done: string;
  readonly change: string;
  readonly tests: readonly Shown[];
}

export function conflictsPage(data?: { readonly decisions?: readonly Decision[] }): string;
