/** The server does what it was asked, and the connection breaks before its answer arrives. */
import net from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FleetBoard } from "../../src/fleet/board/fleet-board.ts";
import { FleetClient } from "../../src/fleet/connection/client.ts";
import { TestFleet } from "./fleet.ts";
import { PostgresServer } from "./server.ts";

let server: PostgresServer;
let fleet: TestFleet;
let proxy: net.Server;
let board: FleetBoard;
/** How many answers are thrown away, with their connection. */
let losing = 0;
let lost = 0;

beforeAll(async () => {
  server = await PostgresServer.start();
  fleet = await TestFleet.make(server, "lossy");
  proxy = net.createServer((near) => {
    const far = net.connect(server.port, "127.0.0.1");
    for (const socket of [near, far]) socket.on("error", () => undefined);
    near.on("data", (bytes) => far.write(bytes)).on("close", () => far.destroy());
    far
      .on("close", () => near.destroy())
      .on("data", (bytes) => {
        // 'C' is the end of a statement: it has been committed.
        if (losing > 0 && bytes.includes("SELECT 1\0")) {
          losing--;
          lost++;
          near.destroy();
        } else near.write(bytes);
      });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as net.AddressInfo;
  board = new FleetBoard(new FleetClient({ ...(await fleet.addMachine("ant")), port }), "b");
  await board.make(undefined);
});
afterAll(async () => {
  await board.close();
  proxy.close();
  await fleet.close();
  await server.dispose();
});

it.each([1, 3])("every step counts once, also after %d lost answers to each", async (times) => {
  const before = (await board.overview()).sequence;
  lost = 0;
  const afterLosses = async <T>(step: () => Promise<T>): Promise<T> => {
    losing = times;
    return step();
  };
  const { id } = await afterLosses(() => board.add({ text: "x", priority: 0, after: [] }));
  const claimed = await afterLosses(() => board.claim("ada"));
  expect(claimed).toMatchObject({ id, epoch: 1, agent: "ada" });
  expect(await afterLosses(() => board.renew("ada"))).toMatchObject([{ id }]);
  const claim = { task: id, agent: "ada", epoch: 1 };
  expect(await afterLosses(() => board.release(claim))).toMatchObject({ status: "pending" });
  await afterLosses(() => board.claim("ada"));
  expect(await afterLosses(() => board.finish({ ...claim, epoch: 2 }, "well"))).toMatchObject({
    status: "done",
    result: "well",
  });
  expect(lost).toBe(6 * times);
  const changes = await board.changesAfter(before);
  expect(changes.map(({ kind, task }) => `${kind} ${task}`)).toEqual(
    ["added", "claimed", "released", "claimed", "done"].map((kind) => `${kind} ${id}`),
  );
  await expect(board.finish({ ...claim, epoch: 2 }, "again")).rejects.toMatchObject({ code: "HW_SWARM_NOT_HELD" });
});
