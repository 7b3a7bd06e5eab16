import type { ComparedSystem } from "./data/systems.mjs";
import type { ParitySources } from "./parity-page.mjs";

export function overviewPage(sources: ParitySources, systems?: readonly ComparedSystem[]): string;
