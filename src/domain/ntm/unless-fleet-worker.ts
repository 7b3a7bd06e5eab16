/**
 * Returns the verdict, except for workers of a fleet, which these policies leave alone. Finding out whether a session is
 * a worker may start a process, so it is asked last and only when there is a verdict.
 */
export async function unlessFleetWorker<V>(
  ctx: { fleetWorker(): Promise<boolean> },
  verdict: V,
): Promise<V | undefined> {
  return (await ctx.fleetWorker()) ? undefined : verdict;
}
