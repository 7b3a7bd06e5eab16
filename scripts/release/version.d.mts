export class ReleaseError extends Error {}
export function writeVersion(root: string, version: string, date: string): string[];
