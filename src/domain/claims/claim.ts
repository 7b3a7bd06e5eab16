/**
 * The right of one owner to change the files that a pattern covers, while others may not. A type alias, because store
 * rows need JSON.
 */
export type Claim = {
  /** The name of an agent, or a role such as `COORDINATOR`. */
  readonly owner: string;
  /** A file, a folder with everything in it, or a glob; relative to the project, or absolute. */
  readonly pattern: string;
  /** What made the claim, for people: a mode or a file. */
  readonly source: string;
  /** From this time on, in milliseconds, the claim no longer counts. */
  readonly expiresAt?: number;
};

/** The owner of files that only the agent that directs the others may change. */
export const COORDINATOR = "coordinator";

export function liveClaims<C extends Claim>(claims: readonly C[], now: number): readonly C[] {
  return claims.filter(({ expiresAt }) => expiresAt === undefined || now < expiresAt);
}

/** The patterns of the claims of these owners, in the order of the owners. */
export function patternsOf(claims: readonly Claim[], owners: readonly string[]): readonly string[] {
  return owners.flatMap((owner) => claims.filter((one) => one.owner === owner).map(({ pattern }) => pattern));
}
