import type { Client } from "./platforms.mjs";

export function writeClientPackages(
  root: string,
  target: string,
  build: { readonly version: string; readonly build: string },
  clients?: readonly Client[],
): Record<string, { readonly sha256: string }>;
