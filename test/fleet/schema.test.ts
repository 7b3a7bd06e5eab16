/** The schema and its roles, made by an administrator who is no superuser. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { FleetClient } from "../../src/fleet/connection/client.ts";
import { migrate } from "../../src/fleet/schema/migrate.ts";
import { addMachine, standingOf } from "../../src/fleet/schema/roles.ts";
import { PostgresServer } from "./server.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.dispose());

it("is made once, also by two administrators at the same time, and again in a second database", async () => {
  for (const name of ["one", "two"]) {
    const address = await server.makeDatabase(name);
    const [first, second] = [new FleetClient(address), new FleetClient(address)];
    await Promise.all([migrate(first), migrate(second)]);
    const { from, to } = await migrate(first);
    expect(from).toBe(to);
    const machine = new FleetClient(await addMachine(first, "m1"));
    expect(await standingOf(machine)).toEqual({ machine: "m1", isAdministrator: false });
    expect(await standingOf(first)).toEqual({ machine: null, isAdministrator: true });
    await machine.run("heartbeat('b', 0, false)");
    for (const client of [first, second, machine]) await client.close();
  }
});
