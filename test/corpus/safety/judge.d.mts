/** The product's check, in an empty folder that is no work tree. */
export interface Judge {
  check(command: string): Promise<{ verdict: "pass" | "ask" | "deny"; effects: { kind: string }[] }>;
  readonly cwd: string;
  /** What the check is given as its environment. */
  readonly env: Record<string, string>;
  close(): void;
}

export const root: string;
/** `parent`: where the empty folder is made, when not in the person's home. */
export function openJudge(parent?: string): Promise<Judge>;
