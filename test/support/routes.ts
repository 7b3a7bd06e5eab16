/** The four ways an event can travel, for tables of tests. */
import { IS_LONG } from "./long.ts";
import { CLIENTS, isMissing, type Route } from "./world.ts";

export interface NamedRoute extends Route {
  readonly name: string;
  readonly isMissing: boolean;
}

export const ROUTES: readonly NamedRoute[] = CLIENTS.flatMap((client) =>
  [true, false].map((daemon) => ({
    name: `${client === "c" ? "compiled" : "Node"} client, ${daemon ? "daemon" : "no daemon"}`,
    client,
    daemon,
    isMissing: isMissing(client),
  })),
);

/** Those that can be tried on this machine; the first is by far the fastest, so long tables go that way. */
export const AVAILABLE: readonly [NamedRoute, ...NamedRoute[]] = nonEmpty(ROUTES.filter((route) => !route.isMissing));

function nonEmpty(routes: readonly NamedRoute[]): [NamedRoute, ...NamedRoute[]] {
  const [first, ...others] = routes;
  if (!first) throw new Error("there is no client at all");
  return [first, ...others];
}

/** Every case goes through the first route; of the others each takes its share, and in the long form everything. */
export function shareOf<T>(route: NamedRoute, cases: readonly T[]): readonly T[] {
  const at = ROUTES.indexOf(route);
  return IS_LONG || at === 0 ? cases : cases.filter((_, index) => index % (ROUTES.length - 1) === at - 1);
}
