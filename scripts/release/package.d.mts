import type { Client } from "./platforms.mjs";

export function packageRelease(root: string, out: string, clients?: readonly Client[]): string[];
export function packedFiles(folder: string): { readonly path: string; readonly size: number }[];
