/** Three machines with a home and a daemon each, and the built command line. */
import { generateKeyPairSync } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressText } from "../../src/fleet/connection/address.ts";
import { openConnection } from "../../src/state/driver.ts";
import { Machine, TestFleet } from "./fleet.ts";
import { PostgresServer, SECRET } from "./server.ts";

/** Far more than is needed, because the machine may be busy. */
const WAIT = { timeout: 60_000, interval: 200 };

let server: PostgresServer;
let fleet: TestFleet;
let folder: string;
const [ant, bee, cat] = [new Machine("ant"), new Machine("bee"), new Machine("cat")];
const machines = [ant, bee, cat];

beforeAll(async () => {
  server = await PostgresServer.start();
  fleet = await TestFleet.make(server, "team");
  folder = fs.mkdtempSync("/tmp/hw-keys-");
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  fs.writeFileSync(path.join(folder, "key"), privateKey.export({ type: "pkcs8", format: "pem" }));
  fs.writeFileSync(path.join(folder, "key.pub"), publicKey.export({ type: "spki", format: "pem" }));
  await ant.run("fleet", "migrate", addressText(fleet.admin.address), "--bundle-key", path.join(folder, "key.pub"));
  await Promise.all(machines.map((machine) => machine.connect(fleet)));
});
afterAll(async () => {
  for (const machine of machines) await machine.dispose();
  await fleet.close();
  await server.dispose();
  fs.rmSync(folder, { recursive: true, force: true });
});

describe("the connection", () => {
  it("is stored for its owner alone, and its password is nowhere in the journal or on the screen", async () => {
    const file = path.join(ant.home, "fleet/connection.json");
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    const { password } = JSON.parse(fs.readFileSync(file, "utf8")).address;
    const db = openConnection(ant.database);
    const text = JSON.stringify(db.prepare("SELECT * FROM journal").all());
    db.close();
    expect(text).toContain("fleet connect");
    expect([text.includes(password), text.includes(SECRET)]).toEqual([false, false]);
    expect(await ant.run("fleet", "status")).not.toContain(password);
    expect(await ant.json("fleet", "status")).toMatchObject({ machine: "ant", reached: true, staleSince: null });
  });

  it("shows all machines, and a daemon that has ended as such", async () => {
    const seen = async () =>
      (await ant.json<{ machines: { name: string; isStale: boolean }[] }>("fleet", "machines")).machines;
    await expect.poll(seen, WAIT).toMatchObject([
      { name: "ant", isStale: false },
      { name: "bee", isStale: false },
      { name: "cat", isStale: false },
    ]);
    await cat.run("daemon", "stop");
    await expect.poll(() => ant.status()?.machines[2], WAIT).toMatchObject({ name: "cat", isResting: true });
    await cat.startDaemon();
    await expect.poll(() => ant.status()?.machines[2], WAIT).toMatchObject({ name: "cat", isResting: false });
  });
});

describe("the copy of the journal", () => {
  it("has every entry of every machine in order, and the sessions", async () => {
    for (const machine of machines) {
      for (let call = 0; call < 5; call++) await machine.hook(machine.bash(`session-${machine.name}`, `echo ${call}`));
    }
    for (const machine of machines) {
      await expect.poll(() => fleet.copyOf(machine.name), WAIT).toEqual(machine.journal());
      expect(machine.journal().length).toBeGreaterThan(5);
    }
    const sessions = () => fleet.admin.rows("SELECT machine, session, project FROM fleet.sessions ORDER BY machine");
    await expect
      .poll(sessions, WAIT)
      .toEqual(
        machines.map(({ name }) => ({ machine: name, session: `session-${name}`, project: "example.org/acme/shop" })),
      );
  });

  it("masks secrets before they leave the machine", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    await bee.hook(bee.bash("session-bee", `curl -H 'Authorization: Bearer ${secret}' https://example.org`));
    await expect.poll(async () => (await fleet.copyOf("bee")).length, WAIT).toBe(bee.journal().length);
    const [row] = await fleet.admin.rows<{ body: string }>(
      "SELECT body FROM fleet.journal WHERE machine = 'bee' ORDER BY seq DESC LIMIT 1",
    );
    expect(row?.body).toContain("example.org");
    expect(row?.body).not.toContain(secret);
  });

  it("is filled again where the server has lost a part of it", async () => {
    await fleet.asOwner("DELETE FROM fleet.journal WHERE machine = 'ant' AND seq BETWEEN 2 AND 4");
    expect(await fleet.copyOf("ant")).not.toEqual(ant.journal());
    // Gaps are looked for when the link begins.
    await ant.run("daemon", "stop");
    await ant.startDaemon();
    await expect.poll(() => fleet.copyOf("ant"), WAIT).toEqual(ant.journal());
  });
});

describe("claims of files", () => {
  const note = async (machine: Machine, session: string, file: string) =>
    (await machine.hook(machine.edit(session, file, "PreToolUse"))).stdout;

  it("reach the other machines with the same project, which tell their agents once", async () => {
    await ant.hook(ant.edit("on-ant", "src/a.ts"));
    await expect.poll(() => bee.status()?.foreignClaims, WAIT).toBe(1);
    const said = await note(bee, "on-bee", "src/a.ts");
    expect(said).toContain("src/a.ts is being edited on the machine ant (claude-code on-ant)");
    expect(await note(bee, "on-bee", "src/a.ts")).not.toContain("machine ant");
    expect(await note(bee, "on-bee", "src/b.ts")).not.toContain("machine ant");
    expect(await note(ant, "on-ant", "src/a.ts")).not.toContain("machine");
  });

  it("belong to the first session, and end with it", async () => {
    await bee.hook(bee.edit("on-bee", "src/a.ts"));
    await bee.hook(bee.edit("on-bee", "src/c.ts"));
    await expect.poll(() => ant.status()?.foreignClaims, WAIT).toBe(1);
    const held = () => fleet.admin.rows("SELECT path, machine FROM fleet.path_claims ORDER BY path");
    expect(await held()).toEqual([
      { path: "src/a.ts", machine: "ant" },
      { path: "src/c.ts", machine: "bee" },
    ]);
    await ant.hook({ hook_event_name: "SessionEnd", session_id: "on-ant", cwd: ant.project, reason: "other" });
    await expect.poll(held, WAIT).toContainEqual({ path: "src/a.ts", machine: "bee" });
  });
});

describe("policy bundles", () => {
  const publish = async (text: string, key = "key") => {
    fs.writeFileSync(path.join(folder, "bundle.yml"), text);
    const options = ["--key", path.join(folder, key), "--signer", "Ada", "--url", addressText(fleet.admin.address)];
    return ant.json("fleet", "bundle", "publish", path.join(folder, "bundle.yml"), ...options);
  };
  const inForce = (machine: Machine) => () => machine.status()?.bundle;

  it("are in force on every machine soon, tighten it, and are journalled with their signer", async () => {
    expect(await publish("policies:\n  safety/fleet-file:\n    answer: deny\n")).toMatchObject({ signer: "Ada" });
    for (const machine of machines) {
      await expect.poll(inForce(machine), WAIT).toMatchObject({ signer: "Ada", problem: "" });
    }
    const { exit, stderr } = await ant.hook(ant.edit("late", "src/c.ts", "PreToolUse"));
    expect([exit, stderr]).toEqual([2, expect.stringContaining("src/c.ts is being edited on the machine bee")]);
    expect(JSON.stringify(bee.journal())).toContain("policy bundle of the fleet");
    expect(await cat.json("fleet", "bundle", "verify")).toMatchObject({ signer: "Ada", ok: true });
  });

  it("with a mistake are not published", async () => {
    const wrong = path.join(folder, "wrong.yml");
    fs.writeFileSync(wrong, "profiels: [safety]\n");
    const { exit, stderr } = await ant.hookwright("fleet", "bundle", "verify", wrong);
    expect([exit, stderr]).toEqual([1, expect.stringMatching(/profiels[\s\S]*HW_FLEET_BUNDLE/)]);
    const options = ["--key", path.join(folder, "key"), "--url", addressText(fleet.admin.address)];
    const published = await ant.hookwright("fleet", "bundle", "publish", wrong, ...options);
    expect([published.exit, published.stderr]).toEqual([1, expect.stringContaining("HW_FLEET_BUNDLE")]);
  });

  it("signed by somebody else, older or changed are refused, said, and leave the last good one in force", async () => {
    const { revision: last = 0, signer } = cat.status()?.bundle ?? {};
    const { privateKey } = generateKeyPairSync("ed25519");
    fs.writeFileSync(path.join(folder, "other"), privateKey.export({ type: "pkcs8", format: "pem" }));
    await publish("policies: {}\n", "other");
    const refused = { revision: last, signer, problem: expect.stringContaining("is pinned") };
    await expect.poll(inForce(cat), WAIT).toMatchObject(refused);
    // What only somebody with the rights of the owner can do: the content of a signed bundle is another one.
    await fleet.asOwner(
      `INSERT INTO fleet.bundles (revision, signer, key, content, signature)
       SELECT 100, signer, key, content || ' ', signature || '' FROM fleet.bundles WHERE revision = ${last}`,
      "NOTIFY hookwright, 'bundle'",
    );
    const changed = { revision: last, problem: expect.stringMatching(/signature of revision 100 is wrong/) };
    await expect.poll(inForce(bee), WAIT).toMatchObject(changed);
    await fleet.asOwner(`DELETE FROM fleet.bundles WHERE revision >= ${last}`, "NOTIFY hookwright, 'bundle'");
    expect((await ant.json<{ revision: number }>("fleet", "bundle", "show")).revision).toBe(last);
  });
});

it("the task board of a project is shared by all machines, and by no other project", async () => {
  const swarm = <T>(machine: Machine, ...words: string[]) => machine.json<T>("swarm", ...words, "--fleet");
  expect(await swarm(ant, "init", "--agents", "3")).toMatchObject({ board: "example.org/acme/shop", created: true });
  await swarm(ant, "add", "first");
  await swarm(bee, "add", "second", "--after", "1");
  expect(await swarm(bee, "claim", "--agent", "ada")).toMatchObject({ task: { id: "task-1", agent: "ada", epoch: 1 } });
  expect(await swarm(cat, "claim", "--agent", "ada")).toMatchObject({ task: null, counts: { claimed: 1, waiting: 1 } });
  const forged = await cat.hookwright("swarm", "complete", "1", "--agent", "ada", "--fleet");
  expect([forged.exit, forged.stderr]).toEqual([1, expect.stringContaining("it is claimed by ada@bee (claim 1)")]);
  expect(await swarm(bee, "complete", "1", "--agent", "ada", "--result", "well")).toMatchObject({
    task: { status: "done" },
  });
  expect(await swarm(cat, "claim", "--agent", "ada")).toMatchObject({ task: { id: "task-2" } });
  expect(await ant.run("swarm", "status", "--fleet")).toMatch(/task-2 +claimed +ada@cat/);
  const other = await ant.hookwright("swarm", "status", "--fleet", "--board", "elsewhere");
  expect([other.exit, other.stderr]).toEqual([1, expect.stringContaining("HW_FLEET_NO_BOARD")]);
  const local = await ant.hookwright("swarm", "status");
  expect([local.exit, local.stderr]).toEqual([1, expect.stringContaining("HW_SWARM_NONE")]);
});

it("messages reach the machine that they are for, once", async () => {
  await ant.run("fleet", "send", "bee", "the", "schema", "is", "frozen");
  expect(await cat.json("fleet", "messages")).toEqual({ messages: [] });
  expect(await bee.json("fleet", "messages")).toMatchObject({
    messages: [{ from: "ant", text: "the schema is frozen" }],
  });
  expect(await bee.json("fleet", "messages")).toEqual({ messages: [] });
});

it("a machine that disconnects leaves nothing of the fleet behind, and is no longer seen", async () => {
  await cat.run("fleet", "disconnect");
  await expect.poll(() => ant.status()?.machines[1], WAIT).toMatchObject({ name: "bee", isResting: false });
  await expect.poll(() => ant.status()?.machines[2], WAIT).toMatchObject({ name: "cat", isResting: true });
  expect(fs.existsSync(path.join(cat.home, "fleet"))).toBe(false);
  const { exit, stderr } = await cat.hookwright("fleet", "status");
  expect([exit, stderr]).toEqual([1, expect.stringContaining("HW_FLEET_NONE")]);
});
