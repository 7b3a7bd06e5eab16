/**
 * Workers of a fleet are left alone. Asking whether this is one may cost a process, so it is asked last, and only
 * when there is something to say.
 */
export async function outsideFleet<V>(ctx: { fleetWorker(): Promise<boolean> }, verdict: V): Promise<V | undefined> {
  return (await ctx.fleetWorker()) ? undefined : verdict;
}
