/** What the role of one machine can do to the others, asked of the server itself, without our program in between. */
import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FleetBoard } from "../../src/fleet/board/fleet-board.ts";
import { publicPem, signBundle } from "../../src/fleet/bundles/signature.ts";
import { type FleetAddress, readAddress } from "../../src/fleet/connection/address.ts";
import type { FleetClient } from "../../src/fleet/connection/client.ts";
import { TestFleet } from "./fleet.ts";
import { PostgresServer, SECRET } from "./server.ts";

let server: PostgresServer;
let fleet: TestFleet;
let ant: FleetClient;
let bee: FleetClient;
let beeAddress: FleetAddress;
let auditor: FleetClient;
let publisher: FleetClient;

const REFUSED = { code: "HW_FLEET_REFUSED", message: expect.stringMatching(/permission denied|must be|cannot/) };
const TABLES = [
  ...["machines", "sessions", "boards", "tasks", "dependencies", "board_changes", "board_agents", "path_claims"],
  ...["messages", "journal", "journal_batches", "bundles", "bundle_key", "approvals"],
];
const ENTRY = {
  ...{ seq: 1, at: 1, agent: "a", session: "s", agent_id: "", project: "/p", event: "e", agent_event: "E", tool: "T" },
  ...{ ruling: "pass", policy: "", reason: "", microseconds: 1, body: "{}" },
};

async function roleIn(group: string): Promise<FleetClient> {
  const user = `${group}_person`;
  const make = `CREATE ROLE ${user} LOGIN PASSWORD '${SECRET}'`;
  await fleet.admin.transaction([make, `GRANT hookwright_${group} TO ${user}`]);
  return fleet.client({ ...fleet.admin.address, user });
}

beforeAll(async () => {
  server = await PostgresServer.start();
  fleet = await TestFleet.make(server, "guarded");
  ant = fleet.client(await fleet.addMachine("ant"));
  beeAddress = await fleet.addMachine("bee");
  bee = fleet.client(beeAddress);
  auditor = await roleIn("auditor");
  publisher = await roleIn("publisher");
  for (const client of [ant, bee]) {
    const rows = JSON.stringify([ENTRY]);
    await client.call("copy_journal('j', 0, 1, $1::text::jsonb)", rows);
    await client.run("report_sessions($1::text::jsonb)", JSON.stringify([{ ...ENTRY, firstAt: 1, lastAt: 1 }]));
  }
  await ant.call("send_message('ant', 'to myself')");
});
afterAll(async () => {
  await fleet.close();
  await server.dispose();
});

const count = async (client: FleetClient, table: string) =>
  (await client.rows<{ n: number }>(`SELECT count(*)::int AS n FROM fleet.${table}`))[0]?.n;

describe("the role of a machine", () => {
  it.each(TABLES)("writes nothing into %s but through functions", async (table) => {
    await expect(bee.rows(`INSERT INTO fleet.${table} DEFAULT VALUES`)).rejects.toMatchObject(REFUSED);
    await expect(bee.rows(`DELETE FROM fleet.${table}`)).rejects.toMatchObject(REFUSED);
    await expect(bee.rows(`TRUNCATE fleet.${table} CASCADE`)).rejects.toMatchObject(REFUSED);
    const [column] = await fleet.admin.rows<{ name: string }>(
      "SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::text::regclass AND attnum = 2",
      `fleet.${table}`,
    );
    const update = `UPDATE fleet.${table} SET ${column?.name} = ${column?.name}`;
    await expect(bee.rows(update)).rejects.toMatchObject(REFUSED);
  });

  it("reads machines and sessions of all, journals and messages of its own alone; an auditor reads all", async () => {
    const seen = async (client: FleetClient) => {
      const tables = ["machines", "sessions", "journal", "journal_batches", "messages"];
      return Promise.all(tables.map((table) => count(client, table)));
    };
    expect(await seen(bee)).toEqual([2, 2, 1, 1, 0]);
    expect(await seen(ant)).toEqual([2, 2, 1, 1, 1]);
    expect(await seen(auditor)).toEqual([2, 2, 2, 2, 1]);
    await expect(auditor.rows("DELETE FROM fleet.journal")).rejects.toMatchObject(REFUSED);
  });

  it("has no function in which it could name another machine", async () => {
    const granted = await bee.rows<{ name: string; args: string }>(
      `SELECT proname AS name, pg_get_function_arguments(oid) AS args FROM pg_proc
       WHERE pronamespace = 'fleet'::regnamespace AND has_function_privilege(oid, 'EXECUTE') AND provolatile = 'v'`,
    );
    expect(granted.length).toBeGreaterThan(15);
    // Whose request is answered is the point of an answer.
    const naming = granted.filter(({ args }) => /machine/.test(args)).map(({ name }) => name);
    expect(naming).toEqual(["answer_approval"]);
    const inner = [
      "add_machine",
      "add_entries",
      "record_change",
      "expire",
      "note_beat",
      "prune_journal",
      "publish_bundle",
    ];
    expect(granted.filter(({ name }) => inner.includes(name))).toEqual([]);
  });

  it("is asked of the session, so that no other role helps", async () => {
    for (const role of ["hookwright_owner", "hookwright_auditor", ant.address.user, "fleet_admin", "postgres"]) {
      await expect(bee.rows(`SET ROLE "${role}"`)).rejects.toMatchObject(REFUSED);
      await expect(bee.rows(`SET SESSION AUTHORIZATION "${role}"`)).rejects.toMatchObject(REFUSED);
    }
    await expect(auditor.run("heartbeat('', 0, false)")).rejects.toMatchObject(REFUSED);
    await expect(fleet.admin.run("heartbeat('', 0, false)")).rejects.toMatchObject({
      message: expect.stringContaining("belongs to no machine"),
    });
  });

  it("cannot put functions or operators of its own in the way of ours", async () => {
    await expect(
      bee.rows("CREATE FUNCTION fleet.now_ms2() RETURNS int LANGUAGE sql AS 'SELECT 1'"),
    ).rejects.toMatchObject(REFUSED);
    const definers = await fleet.admin.rows<{ name: string; config: string }>(
      "SELECT proname AS name, array_to_string(proconfig, ';') AS config FROM pg_proc WHERE pronamespace = 'fleet'::regnamespace AND prosecdef",
    );
    expect(definers.length).toBeGreaterThan(15);
    for (const { name, config } of definers) {
      expect([name, config]).toEqual([name, "search_path=pg_catalog, pg_temp"]);
    }
    const owners = await fleet.admin.rows(
      "SELECT DISTINCT proowner::regrole::text AS owner FROM pg_proc WHERE pronamespace = 'fleet'::regnamespace",
    );
    expect(owners).toEqual([{ owner: "hookwright_owner" }]);
  });
});

describe("claims", () => {
  it("of a task can be ended or renewed by no other machine, whatever name and number it gives", async () => {
    const [own, other] = [new FleetBoard(ant, "work"), new FleetBoard(bee, "work")];
    await own.make(undefined);
    await own.add({ text: "x", priority: 0, after: [] });
    const { epoch = 0 } = (await own.claim("ada")) ?? {};
    for (const agent of ["ada", "ada@ant"]) {
      for (const claim of [
        { task: "1", agent },
        { task: "1", agent, epoch },
      ]) {
        await expect(other.finish(claim, "forged")).rejects.toMatchObject({ code: "HW_SWARM_NOT_HELD" });
        await expect(other.release(claim)).rejects.toMatchObject({ code: "HW_SWARM_NOT_HELD" });
      }
      expect(await other.renew(agent)).toEqual([]);
    }
    expect((await other.overview()).tasks).toMatchObject([{ status: "claimed", agent: "ada@ant" }]);
    expect(await own.finish({ task: "1", agent: "ada", epoch }, "done")).toMatchObject({ status: "done" });
  });

  it("of a file stay with the machine that was first", async () => {
    const claim = (client: FleetClient, session: string) =>
      client.call(
        "claim_paths($1::text::jsonb)",
        JSON.stringify([{ project: "p", path: "a.ts", agent: "x", session, leaseMs: 60_000 }]),
      );
    expect([await claim(ant, "s"), await claim(bee, "s"), await claim(ant, "s")]).toEqual([0, 1, 0]);
    expect(await bee.call("claim_paths('[]')")).toBe(0);
    expect(await fleet.admin.rows("SELECT machine FROM fleet.path_claims")).toEqual([{ machine: "ant" }]);
  });
});

describe("approvals", () => {
  const open = (client: FleetClient, id: string) =>
    client.run(
      "open_approval($1::text::jsonb)",
      JSON.stringify({ ...ENTRY, id, tool: "Bash", subject: "rm x", input: "{}", waitMs: 60_000 }),
    );

  it("are read by all while they are open, and the first answer counts", async () => {
    await open(ant, "one");
    expect(await bee.rows("SELECT machine, id FROM fleet.approvals")).toEqual([{ machine: "ant", id: "one" }]);
    expect(await bee.call("answer_approval('ant', 'one', 'no', 'not today')")).toBe(true);
    expect(await ant.call("answer_approval('ant', 'one', 'yes', NULL)")).toBe(false);
    expect(await count(bee, "approvals")).toBe(0);
    expect(await ant.rows("SELECT answer, detail, answered_by FROM fleet.approvals")).toEqual([
      { answer: "no", detail: "not today", answered_by: "bee" },
    ]);
  });

  it("are closed by their own machine alone", async () => {
    await open(ant, "two");
    await bee.run("close_approval('two')");
    expect(await count(bee, "approvals")).toBe(1);
    await ant.run("close_approval('two')");
    expect(await count(bee, "approvals")).toBe(0);
  });
});

describe("bundles", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const publish = (client: FleetClient, revision: number) => {
    const { signer, key, content, signature } = signBundle(revision, "Ada", "policies: {}\n", privateKey);
    const call = "publish_bundle($1::bigint, $2::text, $3::text, $4::text, $5::text)";
    return client.run(call, revision, signer, key, content, signature);
  };

  it("are published by publishers alone, and only newer ones", async () => {
    for (const client of [bee, auditor]) await expect(publish(client, 5)).rejects.toMatchObject(REFUSED);
    await expect(bee.run("offer_bundle_key($1::text)", publicPem(publicKey))).rejects.toMatchObject(REFUSED);
    await publish(publisher, 5);
    await expect(publish(publisher, 5)).rejects.toMatchObject({ message: expect.stringContaining("not newer") });
    expect(await bee.rows("SELECT revision::int AS revision FROM fleet.bundles")).toEqual([{ revision: 5 }]);
  });
});

describe("the connection", () => {
  it("of a machine in another fleet of the same server knows nothing here", async () => {
    const second = await TestFleet.make(server, "second");
    const stranger = fleet.client({ ...(await second.addMachine("ant")), database: "guarded" });
    await expect(stranger.run("heartbeat('', 0, false)")).rejects.toMatchObject({
      message: expect.stringContaining("belongs to no machine"),
    });
    expect(await count(stranger, "journal")).toBe(0);
    await second.close();
  });

  it("with a wrong password says so, without the password", async () => {
    const wrong = fleet.client({ ...beeAddress, password: "wrong-password" });
    const error = await wrong.rows("SELECT 1").catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: "HW_FLEET_REFUSED",
      message: expect.stringContaining("password authentication"),
    });
    expect(String(error)).not.toContain("wrong-password");
  });
});

describe("an address", () => {
  const options = { allowsPlainText: false, passwordFile: undefined, caFile: undefined, env: {} };
  it.each([
    ["postgres://a:b@127.0.0.1/d", "none"],
    ["postgres://a:b@localhost:5433/d", "none"],
    ["postgres://a:b@[::1]/d", "none"],
    ["postgres://a:b@localhost/d?sslmode=verify-full", "verified"],
    ["postgres://a:b@db.example.org/d", "verified"],
    ["postgres://a:b@db.example.org/d?sslmode=require", "unverified"],
  ])("%s is reached with TLS %s", (url, tls) => {
    expect(readAddress(url, options)).toMatchObject({ tls });
  });

  it.each(["disable", "prefer", "allow"])("beyond loopback with sslmode=%s is refused unless told", (mode) => {
    const url = `postgres://a:b@10.0.0.1/d?sslmode=${mode}`;
    expect(() => readAddress(url, options)).toThrow("would not be encrypted");
    expect(readAddress(url, { ...options, allowsPlainText: true })).toMatchObject({ tls: "none" });
  });

  it.each([
    ["mysql://a:secret@h/d", "postgres://"],
    ["postgres://h/d", "names no role"],
    ["postgres://a:secret@h", "names no database"],
    ["postgres://a:secret@h/d?sslmode=maybe", "no sslmode `maybe`"],
    ["postgres://a:secret@h/d?options=-c", "`options` is not known"],
  ])("%s is refused, without its password", (url, reason) => {
    expect(() => readAddress(url, options)).toThrow(reason);
    expect(() => readAddress(url, options)).not.toThrow("secret");
  });

  it("127.0.0.1.example.org is not loopback", () => {
    expect(readAddress("postgres://a:b@127.0.0.1.example.org/d", options)).toMatchObject({ tls: "verified" });
  });
});
